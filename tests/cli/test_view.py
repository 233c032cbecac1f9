"""`moreau view`: who may ask, what comes back, and what strangers can do to the server."""
import json
import random
import socket
import time

from serving import PAGE, Served
from support import call, main


class Viewed(Served):
    def setUp(self):
        super().setUp()
        self.moreau("run", "scene.lua", "--quiet", "-o", "run.h5")
        self.start("view", "run.h5")
        with open(self.path("run.h5"), "rb") as file:
            self.bytes = file.read()


class Routes(Viewed):
    def test_page(self):
        status, headers, body = self.get("/")
        self.assertEqual((status, body.decode()), (200, PAGE))
        self.assertEqual(headers["Cache-Control"], "no-store")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertRegex(headers["Set-Cookie"], f"^moreau-{self.port}={self.token}; .*HttpOnly; SameSite=Strict")
        self.assertEqual(self.finish(), "Ctrl-C ends it\n")

    def test_session(self):
        status, _, body = self.get("/session.json")
        session = json.loads(body)
        self.assertEqual(status, 200)
        self.assertEqual((session["name"], session["size"], session["live"]), ("run.h5", len(self.bytes), False))
        values = {p["name"]: (p["value"], p["live"]) for p in session["parameters"]}
        self.assertEqual(values["mu"], (0.5, False))

    def test_no_live_here(self):
        self.assertEqual(self.get("/live")[0], 404)

    def test_head(self):
        for path, size in (("/", len(PAGE)), ("/run.h5", len(self.bytes))):
            status, headers, body = self.get(path, method="HEAD")
            self.assertEqual((status, headers["Content-Length"], body), (200, str(size), b""))

    def test_only_on_the_loopback(self):
        with open("/proc/net/tcp", encoding="ascii") as file:
            listening = [line.split()[1] for line in file.readlines()[1:] if line.split()[3] == "0A"]
        self.assertIn(f"0100007F:{self.port:04X}", listening)
        self.assertNotIn(f"00000000:{self.port:04X}", listening)


class Ranges(Viewed):
    def test_whole(self):
        status, headers, body = self.get("/run.h5")
        self.assertEqual((status, body), (200, self.bytes))
        self.assertEqual(headers["Accept-Ranges"], "bytes")

    def check(self, text, first, last):
        status, headers, body = self.get("/run.h5", Range=text)
        self.assertEqual(status, 206, text)
        self.assertEqual(body, self.bytes[first:last + 1], text)
        self.assertEqual(headers["Content-Range"], f"bytes {first}-{last}/{len(self.bytes)}")

    def test_parts(self):
        n, rng = len(self.bytes), random.Random(1)
        self.check("bytes=0-0", 0, 0)
        self.check(f"bytes={n - 1}-", n - 1, n - 1)
        self.check("bytes=-7", n - 7, n - 1)
        self.check(f"bytes=-{n + 5}", 0, n - 1)
        self.check(f"bytes=5-{n + 100}", 5, n - 1)
        for _ in range(50):
            first = rng.randrange(n)
            last = rng.randrange(first, n)
            self.check(f"bytes={first}-{last}", first, last)

    def test_none_and_many(self):
        n = len(self.bytes)
        for text in (f"bytes={n}-", f"bytes={n + 5}-{n + 9}", "bytes=-0"):
            status, headers, _ = self.get("/run.h5", Range=text)
            self.assertEqual((status, headers["Content-Range"]), (416, f"bytes */{n}"))
        for text in ("bytes=0-1,4-5", "lines=0-1", "bytes=9-2"):
            self.assertEqual(self.get("/run.h5", Range=text)[0], 200)

    def test_if_range(self):
        tag = self.get("/run.h5", method="HEAD")[1]["ETag"]
        self.assertEqual(self.get("/run.h5", Range="bytes=0-9", If_Range=tag)[0], 206)
        self.assertEqual(self.get("/run.h5", Range="bytes=0-9", If_Range='"other"')[0], 200)
        # the file of another moment has another tag
        with open(self.path("run.h5"), "ab") as file:
            file.write(b"more")
        status, headers, body = self.get("/run.h5", Range="bytes=0-9", If_Range=tag)
        self.assertEqual((status, len(body)), (200, len(self.bytes) + 4))
        self.assertNotEqual(headers["ETag"], tag)

    def test_many_on_one_connection(self):
        one = f"GET /run.h5?token={self.token} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=%d-%d\r\n\r\n"
        asked = "".join(one % (i, i + 9) for i in range(50))
        answer = self.raw(asked.encode())
        at = 0
        for i in range(50):
            head, _, rest = answer[at:].partition(b"\r\n\r\n")
            self.assertIn(b" 206 ", head[:20])
            self.assertEqual(rest[:10], self.bytes[i:i + 10])
            at += len(head) + 4 + 10
        self.assertEqual(at, len(answer))


class Strangers(Viewed):
    ROUTES = ("/", "/session.json", "/run.h5", "/live", "/nothing")

    def test_without_the_token(self):
        wrong = ("0" * 32, self.token[:-1], self.token + "0", self.token.upper().replace("A", "B"), "", "%00")
        for path in self.ROUTES:
            self.assertEqual(self.get(path, token=False)[0], 403)
            for token in wrong:
                if token != self.token:
                    self.assertEqual(self.get(f"{path}?token={token}", token=False)[0], 403)
        self.assertEqual(self.get("/", token=False, Cookie=f"moreau-{self.port + 1}={self.token}")[0], 403)
        self.assertEqual(self.get("/", token=False, Cookie=f"x=1; moreau-{self.port}={self.token}")[0], 200)

    def test_other_names_and_pages(self):
        for host in ("evil.example", "127.0.0.1.evil.example", f"evil.example:{self.port}", ""):
            self.assertIn(self.get("/run.h5", Host=host)[0], (400, 403))
        for host in ("localhost", f"localhost:{self.port}", "127.0.0.1:9", f"[::1]:{self.port}"):
            self.assertEqual(self.get("/run.h5", Host=host)[0], 200)
        self.assertEqual(self.get("/run.h5", Origin="http://evil.example")[0], 403)
        self.assertEqual(self.get("/run.h5", Origin="null")[0], 403)

    def test_other_places(self):
        for path in ("/page.html", "/../../etc/passwd", "/run.h5/../page.html", "//etc/passwd", "/%2e%2e/etc/passwd",
                     "/run.h5%00", "/run.h5/", "/./run.h5", "/etc/passwd", "/.", "/scene.lua", "/run%2eh5"):
            status, _, body = self.get(path)
            self.assertEqual(status, 404, path)
            self.assertNotIn(b"root:", body)

    def test_methods(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH"):
            self.assertEqual(self.get("/", method=method)[0], 405, method)

    def test_noise(self):
        rng = random.Random(2)
        for data in (b"", b"\r\n\r\n", b"GET", b"\x16\x03\x01" + bytes(200), b"GET / HTTP/9.9\r\n\r\n", b"\0" * 9000,
                     b"GET /" + b"a" * 9000, b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 2000,
                     b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\n",
                     *(rng.randbytes(rng.randrange(3000)) for _ in range(30))):
            answer = self.raw(data)
            self.assertTrue(answer == b"" or answer.startswith(b"HTTP/1.1 4") or answer.startswith(b"HTTP/1.1 5"),
                            answer[:80])
        self.assertEqual(self.get("/")[0], 200)

    def test_more_than_there_is_room_for(self):
        crowd = [self.connect() for _ in range(100)]
        for connection in crowd:
            connection.sendall(b"GET / HTTP/1.1\r\n")
        started = time.monotonic()
        self.assertEqual(self.get("/run.h5")[2], self.bytes)
        self.assertLess(time.monotonic() - started, 8)

    def test_slow_ones_are_dropped(self):
        slow = self.connect()
        slow.settimeout(20)
        started = time.monotonic()
        closed = False
        # a byte now and then does not keep a request alive
        for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a" * 30:
            try:
                slow.send(bytes([byte]))
                slow.settimeout(0.3)
                closed = slow.recv(1) == b""
            except socket.timeout:
                continue
            except ConnectionError:
                closed = True
            if closed:
                break
        self.assertTrue(closed)
        self.assertLess(time.monotonic() - started, 20)

    def test_one_that_does_not_read(self):
        # a file larger than the kernel's buffers, and a client that asks and takes nothing
        with open(self.path("run.h5"), "ab") as file:
            file.truncate(64 << 20)
        idle = self.connect()
        idle.sendall(f"GET /run.h5?token={self.token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.assertEqual(len(self.get("/run.h5")[2]), 64 << 20)
        idle.close()
        self.assertEqual(self.get("/")[0], 200)


class Starting(Served):
    def test_files_that_are_no_runs(self):
        self.moreau("run", "scene.lua", "--quiet", "-o", "run.h5")
        with open(self.path("run.h5"), "rb") as file:
            good = file.read()
        for name, data in (("cut.h5", good[:len(good) // 3]), ("text.h5", b"text\n"), ("empty.h5", b"")):
            with open(self.path(name), "wb") as file:
                file.write(data)
            self.assertEqual(self.moreau("view", name, "--no-open", "--page", "page.html", expect=3).stdout, "")
        self.moreau("view", "none.h5", "--no-open", expect=3)
        self.moreau("view", expect=2)
        self.moreau("view", "run.h5", "run.h5", expect=2)
        self.moreau("view", "run.h5", "--port", "70000", expect=2)
        self.moreau("view", "run.h5", "--page", "none.html", expect=3)

    def test_port(self):
        self.moreau("run", "scene.lua", "--quiet", "-o", "run.h5")
        self.start("view", "run.h5")
        done = self.moreau("view", "run.h5", "--port", self.port, "--no-open", "--page", "page.html", expect=4)
        self.assertIn(str(self.port), done.stderr)
        port = self.port
        self.finish()
        # at once again on the same port
        self.start("view", "run.h5", "--port", port)
        self.assertEqual(self.port, port)

    def test_json(self):
        self.moreau("run", "scene.lua", "--quiet", "-o", "run.h5")
        self.start("view", "run.h5", "--json")
        self.assertEqual(self.get("/")[0], 200)
        self.assertEqual(self.finish(), "")

    def test_without_a_page(self):
        self.moreau("run", "scene.lua", "--quiet", "-o", "run.h5")
        done = call("export", "run.h5", "--to", "html", "-o", "run.html", cwd=self.folder)
        if done.returncode == 0:
            self.skipTest("the page is inside the program")
        self.assertEqual(done.returncode, 4)
        self.assertIn("make viewer", done.stderr)

    def test_a_run_that_another_process_writes(self):
        self.start_endless()
        self.start("view", "run.h5")
        before = json.loads(self.get("/session.json")[2])["size"]
        self.eventually(lambda: json.loads(self.get("/session.json")[2])["size"] > before)


if __name__ == "__main__":
    main()
