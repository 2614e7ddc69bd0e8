# The choice of the kernel, once, when the module is imported.

cdef const pw_kernel *load_kernel(str name) except NULL:
    cdef const pw_kernel *kernel
    if name == "avx2" and not pw_cpu_has_avx2():
        raise ImportError("PATCHWORK_KERNEL=avx2: this processor lacks AVX2, BMI2 or POPCNT")
    try:
        module = __import__(f"patchwork._engine._kernel_{name}", fromlist=["table"])
    except ModuleNotFoundError:
        raise ImportError(f"PATCHWORK_KERNEL={name}: that kernel is not built here") from None
    kernel = <const pw_kernel *>PyCapsule_GetPointer(module.table, "patchwork.kernel")
    if kernel.abi != PW_ABI or kernel.state_size != sizeof(pw_state):
        raise ImportError(f"the {name} kernel comes from another build of patchwork")
    return kernel


cdef const pw_kernel *choose_kernel() except NULL:
    name = os.environ.get("PATCHWORK_KERNEL")
    if name is not None:
        if name not in ("portable", "avx2"):
            raise ImportError(f"PATCHWORK_KERNEL={name}: there are portable and avx2")
        return load_kernel(name)
    if pw_cpu_has_avx2():
        try:
            return load_kernel("avx2")
        except ImportError:
            pass
    return load_kernel("portable")


engine = choose_kernel()


def kernel():
    """Return the name of the kernel in use: ``"avx2"`` or ``"portable"``.

    The environment variable ``PATCHWORK_KERNEL`` forces one when the package is imported.
    """
    return engine.name.decode()
