"""Builds the package with the project's own CMake: the extension module, linked with the library, and the scenes of
examples/.  MOREAU_BUILD names another build folder than ../build.  Works from the project's tree only: there is no
source distribution apart from the project."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


class BuildExtension(build_ext):
    def build_extension(self, ext: Extension) -> None:
        build = Path(os.environ.get("MOREAU_BUILD", ROOT / "build"))
        configure = ["cmake", "-S", str(ROOT), "-B", str(build)]
        if not (build / "CMakeCache.txt").exists():
            configure += ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"]
        said = subprocess.run(configure, check=True, capture_output=True, text=True).stdout
        if "Python package: for " not in said:
            sys.exit("no Python >= 3.11 with headers and NumPy was found (Debian: python3-dev python3-numpy)")
        subprocess.run(["cmake", "--build", str(build), "-j", str(os.cpu_count() or 2), "--target", "moreau_python"],
                       check=True)
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(build / "python" / "moreau" / "_core.abi3.so", target)


class BuildPackage(build_py):
    def run(self) -> None:
        super().run()
        if getattr(self, "editable_mode", False):
            return
        scenes = Path(self.build_lib) / "moreau" / "scenes"
        scenes.mkdir(parents=True, exist_ok=True)
        for scene in (ROOT / "examples").glob("*.lua"):
            shutil.copy2(scene, scenes)


version = re.search(r'MO_VERSION "([^"]+)"', (ROOT / "include" / "moreau" / "base.h").read_text())
assert version is not None
setup(
    version=version.group(1),
    packages=["moreau"],
    package_data={"moreau": ["py.typed", "*.pyi"]},
    # the stable ABI: one wheel for this Python and all later ones
    ext_modules=[Extension("moreau._core", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPackage},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
