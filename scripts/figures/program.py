"""Calls of the program: runs of scenes, pictures and tables of them."""

import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Program:
    def __init__(self, path, threads=None):
        self.path, self.threads = path, threads

    def call(self, *arguments):
        return subprocess.run([self.path, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)

    def run(self, scene, output, settings=None, seed=1, missed=None):
        """Runs a scene; its JSON object. A failed check is an error, and so are unconverged steps, but for those that missed(object) accepts."""
        command = ["run", scene, "--quiet", "--json", "--seed", seed]
        if output:
            command += ["-o", output]
        if self.threads:
            command += ["--threads", self.threads]
        for name, value in (settings or {}).items():
            command += ["--set", f"{name}={value}"]
        done = self.call(*command)
        lines = done.stdout.strip().splitlines()
        result = json.loads(lines[-1]) if lines else {"status": "no answer"}
        accepted = done.returncode == 1 and "did not reach the tolerance" in result["status"] and missed and missed(result)
        if (done.returncode != 0 and not accepted) or not lines:
            raise SystemExit(f"moreau {' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
        return result

    def export(self, run, output, *options):
        done = self.call("export", run, "-o", output, *options)
        if done.returncode != 0:
            raise SystemExit(f"moreau export {run}: exit status {done.returncode}\n{done.stderr}")

    def info(self, run):
        return json.loads(self.call("info", run, "--json").stdout.strip().splitlines()[-1])

    def draw(self, plots, folder, name, *options):
        """Draws plots given as Lua text, by a scene that does nothing else: NAME.png and NAME.svg in the folder."""
        with tempfile.TemporaryDirectory() as place:
            scene, run = (os.path.join(place, name + ending) for ending in (".lua", ".h5"))
            with open(scene, "w", encoding="utf-8") as file:
                file.write("sweep { x = 0, h = 1, t_end = 1, set = interval { center = 0, radius = 1 } }\n" + plots)
            self.run(scene, run)
            for kind in ("png", "svg"):
                self.export(run, os.path.join(folder, f"{name}.{kind}"), "--to", kind, "--what", "plots", *options)


def lua_list(numbers):
    return "{" + ", ".join(f"{x:.6g}" if x == x else "0/0" for x in numbers) + "}"
