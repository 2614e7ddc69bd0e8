# Arguments as they come in: integers of any size and of any integer type but bool, and texts of any
# type derived from str.

cdef object integer(object number, str what):
    """The number as an int; TypeError if it is none."""
    if isinstance(number, bool):
        raise TypeError(f"{what} must be an integer, not bool")
    return as_index(number)


cdef object integer_within(object number, object least, object most, str what):
    """The number as an int from a range; ValueError if it lies outside."""
    value = integer(number, what)
    if not least <= value <= most:
        raise ValueError(f"{what} must be in {least}..{most}, not {shortened(value)}")
    return value


cdef str shortened(object number):
    """The text of an int, which may have millions of digits."""
    return str(number) if -1 << 64 < number < 1 << 64 else f"one of {number.bit_length()} bits"


cdef str exact_text(object text, str what):
    """The text as a str itself; TypeError if it is none."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    return PyUnicode_FromObject(text)
