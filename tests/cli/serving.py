"""A served run for tests: starting it, asking it with raw bytes, and a small WebSocket client."""
import base64
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time

from support import MOREAU, Case, stop

PAGE = "<!doctype html><html><body><p>page</p></body></html>\n"
# a disc on a floor, pushed by a live parameter
LIVE = """local push = live("push", 0.0, "N")
local stop_at = param("t_end", 1e5, "s")
world { dim = 2, h = 1e-3, t_end = stop_at, gravity = {0, -9.81}, record = { every = 0.02 } }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true }
local b = body { shape = disc { radius = 0.05 }, mass = 1, position = {0, 0.05} }
on_step(function(t) b.applied_force = {push(), 0} end)
at_end(function() report("x", b.position[1]); report("push", push()) end)
"""


class Served(Case):
    """One program that serves; self.address, self.port, self.token once it does."""

    def setUp(self):
        super().setUp()
        self.path("page.html", PAGE)
        self.path("live.lua", LIVE)

    def start(self, *arguments):
        # temporary folders of programs that are killed go with the test's own
        environment = {**os.environ, "TMPDIR": self.folder}
        self.process = subprocess.Popen([MOREAU, *map(str, arguments), "--no-open", "--page", "page.html"],
                                        cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment)
        self.addCleanup(stop, self.process)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", line)
        self.assertTrue(found, line + (self.process.stderr.read() if not found else ""))
        self.address, self.port, self.token = found.group(0), int(found.group(1)), found.group(2)
        return self.process

    def ended(self, expect=0):
        """Waits for the program's end; what was printed after the address."""
        # not communicate(), which passes over what readline() has read ahead
        out, err = self.process.stdout.read(), self.process.stderr.read()
        self.assertEqual(self.process.wait(30), expect, out + err)
        return out

    def finish(self, expect=0):
        """The same after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.ended(expect)

    def get(self, path, method="GET", token=True, **headers):
        """(status, headers, body) of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        if token:
            path += ("&" if "?" in path else "?") + "token=" + self.token
        connection.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.addCleanup(connection.close)
        return connection

    def raw(self, data):
        """Everything that comes back for these bytes until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionError:
                pass
            return answer

    def live(self, **headers):
        return Socket(self, **headers)

    def settled(self):
        """The state of a paused run once it stands still."""
        before = None
        while (state := self.live().state()) != before:
            before = state
            time.sleep(0.3)
        return state

    def eventually(self, condition, seconds=20):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = condition()
            if value:
                return value
            time.sleep(0.02)
        self.fail("it did not happen in time")


class Socket:
    """A WebSocket over a plain one; texts in and out."""

    def __init__(self, case, path="/live", **headers):
        self.case, self.socket, self.data = case, case.connect(), b""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = {"Host": f"127.0.0.1:{case.port}", "Connection": "Upgrade", "Upgrade": "websocket",
                 "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
                 "Cookie": f"moreau-{case.port}={case.token}"}
        lines.update({k.replace("_", "-"): v for k, v in headers.items()})
        request = f"GET {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items()) + "\r\n"
        self.socket.sendall(request.encode())
        while b"\r\n\r\n" not in self.data:
            piece = self.socket.recv(4096)
            if not piece:
                break
            self.data += piece
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head else 0
        if self.status == 101:
            expected = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
            case.assertIn(b"Sec-WebSocket-Accept: " + expected + b"\r\n", head + b"\r\n")

    def send_frame(self, kind, data, last=True, mask=b"\1\2\3\4"):
        head = bytes([(0x80 if last else 0) | kind])
        flag = 0x80 if mask else 0
        head += bytes([flag | len(data)]) if len(data) < 126 else bytes([flag | 126]) + struct.pack(">H", len(data))
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(data)) if mask else data
        self.socket.sendall(head + (mask or b"") + body)

    def send(self, **message):
        self.send_frame(1, json.dumps(message).encode())

    def _take(self, count):
        while len(self.data) < count:
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError
            self.data += piece
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def receive_frame(self):
        first, second = self._take(2)
        self.case.assertEqual(first & 0x70, 0)
        self.case.assertLess(second, 128, "a server does not mask")
        length = second
        if second == 126:
            length, = struct.unpack(">H", self._take(2))
        elif second == 127:
            length, = struct.unpack(">Q", self._take(8))
        return first & 15, self._take(length)

    def receive(self):
        kind, data = self.receive_frame()
        self.case.assertEqual(kind, 1)
        return json.loads(data)

    def state(self, condition=lambda state: True):
        """The next state for which the condition holds."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            message = self.receive()
            if message["type"] == "frame" and condition(message):
                return message
        self.case.fail("no such state")

    def closed(self):
        """The code of the close that comes next, other frames left out."""
        while True:
            kind, data = self.receive_frame()
            if kind == 8:
                return struct.unpack(">H", data)[0] if data else None
