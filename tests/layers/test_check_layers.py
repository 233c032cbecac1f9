#!/usr/bin/env python3
"""check_layers.py finds each kind of disorder in a small tree, and nothing in a tidy one."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from check_layers import check  # noqa: E402 (after the line above, which keeps the source folder clean)

TIDY = {
    "CMakeLists.txt": 'set(MOREAU_LAYERS core\n  shape record draw scene)\nforeach(pair "core;XXHASH" "record;HDF5"'
                      ' "shape;QHULL" "draw;CAIRO" "scene;LUA" "scene;JANSSON" "record;JANSSON" "record;ZLIB")',
    "include/moreau/moreau.h": "#include <moreau/base.h>\n",
    "include/moreau/base.h": "#include <stdint.h>\n",
    "src/core/a.h": "#include <stdint.h>\n",
    "src/core/a.c": '#include "core/a.h"\n#include <xxhash.h>\n',
    "src/shape/s.h": '#include "core/a.h"\n#include <moreau/base.h>\n',
    "src/shape/s.c": "#include <libqhull_r/qhull_ra.h>\n",
    "src/record/r.c": "#include <hdf5.h>\n#include <jansson.h>\n#include <zlib.h>\n",
    "src/draw/d.c": "#include <cairo-svg.h>\n",
    "src/scene/l.c": '#include "shape/s.h"\n#include <lua.h>\n#include <lauxlib.h>\n',
    "app/main.c": '#include "shape/s.h"\n#include <jansson.h>\n',
}


class Layers(unittest.TestCase):
    def complaints(self, changes, **compilers):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**TIDY, **changes}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check(root, **compilers)

    def expect(self, path, text, words):
        found = self.complaints({path: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_tidy(self):
        self.assertEqual(self.complaints({}), [])

    def test_upward_include(self):
        self.expect("src/core/b.c", '#include "shape/s.h"\n', "shape comes after core")

    def test_unknown_folder(self):
        self.expect("src/stray/x.c", "\n", "src/stray: not in MOREAU_LAYERS")

    def test_include_without_folder(self):
        self.expect("src/shape/b.c", '#  include "s.h"\n', 'should be "folder/file.h"')

    def test_missing_file(self):
        self.expect("src/shape/b.c", '#include "core/nothing.h"\n', "does not exist")

    def test_libraries_outside_their_folder(self):
        for header in ("hdf5.h", "H5Tpublic.h", "cairo.h", "cairo/cairo.h", "lua.h", "lua5.4/lualib.h", "jansson.h", "zlib.h",
                       "xxhash.h"):
            self.expect("src/shape/b.c", f"#include <{header}>\n", "is not for shape")

    def test_hull_library_outside_shape(self):
        for header in ("libqhull_r/libqhull_r.h", "libqhull_r/qhull_ra.h", "geom_r.h"):
            self.expect("src/draw/b.c", f"#include <{header}>\n", "is not for draw")

    def test_library_in_app(self):
        self.expect("app/other.c", "#include <hdf5.h>\n", "is not for app")

    def test_public_header_with_a_library(self):
        self.expect("include/moreau/base.h", "#include <jansson.h>\n", "libc and <moreau/...> only")

    def test_public_header_with_an_internal_one(self):
        self.expect("include/moreau/base.h", '#include "core/a.h"\n', "libc and <moreau/...> only")

    def test_header_left_out_of_moreau_h(self):
        self.expect("include/moreau/more.h", "\n", "does not include <moreau/more.h>")

    def test_unknown_public_header(self):
        self.expect("src/core/b.c", "#include <moreau/nothing.h>\n", "is not a public header")

    def test_header_that_needs_another(self):
        found = self.complaints({"include/moreau/base.h": "size_t f(void);\n"}, cc="cc")
        self.assertTrue(found and "does not compile alone" in found[0], found)


if __name__ == "__main__":
    unittest.main()
