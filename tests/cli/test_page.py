"""`moreau export --to html` and `--to webm`: one page with the run inside, and a film."""
import base64
import html
import os
import re
import struct
import subprocess

from serving import PAGE
from support import MOREAU, Case, PathCase, main

MARK = re.compile(r'<script type="application/octet-stream" id="run-data" data-name="([^"]*)" data-encoding="base64">'
                  r'([^<]*)</script>\n')


class Html(Case):
    def setUp(self):
        super().setUp()
        self.moreau("run", "scene.lua", "--quiet", "-o", "run.h5")
        self.path("page.html", PAGE)
        with open(self.path("run.h5"), "rb") as file:
            self.bytes = file.read()

    def export(self, page=PAGE, run="run.h5"):
        self.path("page.html", page)
        return self.moreau("export", run, "--to", "html", "--page", "page.html", "-o", "-").stdout

    def test_round_trip(self):
        text = self.export()
        name, data = MARK.search(text).groups()
        self.assertEqual(name, "run.h5")
        self.assertEqual(base64.b64decode(data, validate=True), self.bytes)
        # nothing else has changed, and the run stands just before the end of the body
        self.assertEqual(MARK.sub("", text), PAGE)
        self.assertIn("</script>\n</body></html>\n", text)

    def test_last_body(self):
        page = "<body><script>'</body>'</script></body>"
        self.assertTrue(self.export(page).endswith("</script>\n</body>"))
        self.assertEqual(MARK.sub("", self.export("no end")), "no end")

    def test_names(self):
        name = 'a"b<c>&d.h5'
        os.rename(self.path("run.h5"), self.path(name))
        text = self.export(run=name)
        self.assertEqual(html.unescape(MARK.search(text).group(1)), name)

    def test_output(self):
        done = self.json("export", "run.h5", "--to", "html", "--page", "page.html")
        self.assertEqual(done["written"], "run.html")
        with open(self.path("run.html"), encoding="ascii") as file:
            self.assertEqual(base64.b64decode(MARK.search(file.read()).group(2)), self.bytes)
        self.moreau("export", "run.h5", "--to", "html", "--page", "none.html", expect=3)
        self.moreau("export", "run.h5", "--to", "html", "--what", "series", expect=2)
        self.moreau("export", "run.h5", "--to", "png", "--page", "page.html", expect=2)
        self.moreau("export", "run.h5", "--to", "html", "--page", "page.html", "-o", "none/run.html", expect=4)

    def test_a_run_that_is_being_written(self):
        os.remove(self.path("run.h5"))
        self.start_endless()
        data = base64.b64decode(MARK.search(self.export()).group(2), validate=True)
        with open(self.path("copy.h5"), "wb") as file:
            file.write(data)
        self.assertGreaterEqual(self.json("info", "copy.h5")["frames"], 3)


MASTERS = {0x1a45dfa3, 0x18538067, 0x114d9b74, 0x4dbb, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1f43b675, 0x1c53bb6b,
           0xbb, 0xb7}


def number(data, at, keep):
    """(value, next place, unknown): an id with its marker bit, or a length without it."""
    width = 9 - data[at].bit_length()
    value = int.from_bytes(data[at:at + width], "big")
    mark = 1 << 7 * width
    return (value if keep else value - mark), at + width, value == 2 * mark - 1


def elements(data, at, end):
    """[(id, place, content)]; content is bytes or such a list.  An element that ends too late is an error."""
    out = []
    while at < end:
        name, head, _ = number(data, at, True)
        size, start, unknown = number(data, head, False)
        stop = end if unknown else start + size
        assert stop <= end, hex(name)
        out.append((name, at, start, elements(data, start, stop) if name in MASTERS else data[start:stop]))
        at = stop
    assert at == end
    return out


class Film(PathCase):
    def parse(self, data):
        parsed = elements(data, 0, len(data))
        self.assertEqual([e[0] for e in parsed], [0x1a45dfa3, 0x18538067])
        self.assertIn(b"webm", [e[3] for e in parsed[0][3]])
        return parsed[1]

    def find(self, content, *names):
        for name in names:
            found = [e for e in content if e[0] == name]
            content = found[0][3]
        return content

    def check(self, data, frames, fps):
        _, _, start, segment = self.parse(data)
        track = self.find(segment, 0x1654ae6b, 0xae)
        self.assertEqual(self.find(track, 0x86), b"V_VP8")
        width, height = (int.from_bytes(self.find(track, 0xe0, n), "big") for n in (0xb0, 0xba))
        self.assertAlmostEqual(struct.unpack(">d", self.find(segment, 0x1549a966, 0x4489))[0], 1000 * frames / fps)
        clusters = {e[1] - start: e[3] for e in segment if e[0] == 0x1f43b675}
        times, keys = [], []
        for cluster in clusters.values():
            base = int.from_bytes(self.find(cluster, 0xe7), "big")
            blocks = [e[3] for e in cluster if e[0] == 0xa3]
            for block in blocks:
                times.append(base + struct.unpack(">h", block[1:3])[0])
                keys.append(block[3] == 0x80)
                # the first bit of VP8 says the same; a key picture has its size (RFC 6386, 9.1)
                self.assertEqual(block[4] & 1 == 0, keys[-1])
                if keys[-1]:
                    self.assertEqual(block[7:10], b"\x9d\x01\x2a")
                    self.assertEqual(struct.unpack("<HH", block[10:14]), (width, height))
            self.assertEqual(blocks[0][3], 0x80)
        self.assertEqual(times, [int(1000 * k / fps + 0.5) for k in range(frames)])
        cues = [self.find(e[3], 0xb7, 0xf1) for e in self.find(segment, 0x1c53bb6b)]
        self.assertEqual([int.from_bytes(c, "big") for c in cues], list(clusters))
        return width, height, len(clusters), start, segment

    def run_or_skip(self, *arguments):
        done = subprocess.run([MOREAU, "export", *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, check=False)
        if b"without libvpx" in done.stderr:
            self.assertEqual(done.returncode, 4)
            self.skipTest("built without libvpx")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_world(self):
        frames = 1 + round(0.2 / 0.02)
        self.moreau("run", "scene.lua", "--quiet", "-o", "run.h5")
        self.run_or_skip("run.h5", "--to", "webm", "--width", 201)
        with open(self.path("run.webm"), "rb") as file:
            data = file.read()
        width, height, _, start, segment = self.check(data, frames, 50)
        self.moreau("export", "run.h5", "--to", "png", "--width", "201", "--frame", "all", "-o", "png")
        with open(self.path("png/frame-00003.png"), "rb") as file:
            self.assertEqual(struct.unpack(">II", file.read(24)[16:]), (width, height))
        # the index is found from the front
        seek = self.find(segment, 0x114d9b74, 0x4dbb)
        self.assertEqual(self.find(seek, 0x53ab), b"\x1c\x53\xbb\x6b")
        place = start + int.from_bytes(self.find(seek, 0x53ac), "big")
        self.assertEqual(data[place:place + 4], b"\x1c\x53\xbb\x6b")
        # through a pipe, which cannot be gone back in, at another rate: more than one cluster
        piped = self.run_or_skip("run.h5", "--to", "webm", "--width", 64, "--fps", 2.5, "-o", "-")
        self.assertGreater(self.check(piped, frames, 2.5)[2], 1)

    def test_usage(self):
        self.moreau("run", "scene.lua", "--quiet", "-o", "run.h5")
        for arguments in (["--fps", "0"], ["--fps", "1000"], ["--frame", "3"], ["--what", "series"], ["--what", "plots"]):
            self.moreau("export", "run.h5", "--to", "webm", *arguments, expect=2)
        self.moreau("export", "run.h5", "--to", "png", "--fps", "5", expect=2)
        # an interval has no frames
        self.record("play", "sweep { x = {0}, h = 0.1, t_end = 1, method = 'catching-up',\n"
                    "set = interval { center = function(t) return t end, radius = 0.5 } }")
        self.moreau("export", "play.h5", "--to", "webm", expect=2)


if __name__ == "__main__":
    main()
