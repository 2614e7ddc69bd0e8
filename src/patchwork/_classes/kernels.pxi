# The choice of the kernel, once, when the module is imported.

cdef const pw_kernel *load_kernel(str name) except NULL:
    cdef const pw_kernel *kernel
    module = __import__(f"patchwork._engine._kernel_{name}", fromlist=["table"])
    kernel = <const pw_kernel *>PyCapsule_GetPointer(module.table, "patchwork.kernel")
    if kernel.abi != PW_ABI or kernel.state_size != sizeof(pw_state):
        raise ImportError(f"the {name} kernel comes from another build of patchwork")
    return kernel


cdef const pw_kernel *forced_kernel(str name) except NULL:
    if name not in ("portable", "avx2"):
        raise ImportError(f"PATCHWORK_KERNEL={name}: there are portable and avx2")
    if name == "avx2" and not pw_cpu_has_avx2():
        raise ImportError("PATCHWORK_KERNEL=avx2: this processor lacks AVX2, BMI2 or POPCNT")
    try:
        return load_kernel(name)
    except ModuleNotFoundError:
        raise ImportError(f"PATCHWORK_KERNEL={name}: that kernel is not built here") from None


cdef const pw_kernel *fastest_kernel() except NULL:
    if pw_cpu_has_avx2():
        try:
            return load_kernel("avx2")
        except ModuleNotFoundError:
            pass
    return load_kernel("portable")


forced = os.environ.get("PATCHWORK_KERNEL")
engine = fastest_kernel() if forced is None else forced_kernel(forced)
del forced


def kernel():
    """Return the name of the kernel in use: ``"avx2"`` or ``"portable"``.

    The environment variable ``PATCHWORK_KERNEL`` forces one when the package is imported.
    """
    return engine.name.decode()
