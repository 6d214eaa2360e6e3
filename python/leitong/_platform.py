"""The message if the module cannot be loaded on this system."""
from __future__ import annotations

import platform


def explain_import(error: ImportError) -> str:
    """The message for a system on which leitong's module does not run."""
    library, version = platform.libc_ver()
    here = f"{platform.system()} on {platform.machine()} with {library or 'another C library than glibc'} {version}".rstrip()
    return (
        f"leitong's module can't be loaded: {error}. The wheel is for Linux with glibc 2.28 or later, on the processor that its name "
        f"says; this is {here}. On other systems leitong runs in a container"
    )
