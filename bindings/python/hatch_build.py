"""The wheel holds the shared library: `py3-none-PLATFORM`, good for every Python 3 of that platform.

WITHY_LIBRARY         the shared library to put in; required
WITHY_WHEEL_PLATFORM  the tag, such as manylinux_2_17_x86_64 or win_amd64; without it that of this machine, which
                      package indexes refuse for Linux
"""

import os
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: What a platform's library is called, by how its tag begins.
FILES = {"win": "withy.dll", "macosx": "libwithy.dylib", "linux": "libwithy.so", "manylinux": "libwithy.so"}


class Library(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            return
        library = os.environ.get("WITHY_LIBRARY", "")
        if not Path(library).is_file():
            sys.exit(f"WITHY_LIBRARY is {library!r}: must be the path of the shared library")
        platform = os.environ.get("WITHY_WHEEL_PLATFORM") or sysconfig.get_platform()
        platform = platform.replace("-", "_").replace(".", "_")
        file = next((f for start, f in FILES.items() if platform.startswith(start)), None)
        if file is None:
            sys.exit(f"WITHY_WHEEL_PLATFORM is {platform}: must begin with one of {', '.join(FILES)}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        include = build_data["force_include"]
        include[library] = f"withy/{file}"
        top = Path(self.root).parent.parent
        for licence in ("LICENSE-MIT", "LICENSE-APACHE", "THIRD_PARTY.md"):
            if (top / licence).is_file():
                include[str(top / licence)] = f"withy/{licence}"
