# SPDX-License-Identifier: Apache-2.0
"""`binade-engine setup` (packaging/setup-libtorch) and the launcher of the Debian package, with small wheels and a
package index on this machine."""

import base64
import hashlib
import http.server
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest
import zipfile

PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "packaging"


def wheel_bytes(names):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, os.urandom(300_000))
    return packed.getvalue()


class Index(http.server.BaseHTTPRequestHandler):
    """A package index. `cut` ends the next answers after so many bytes; `requests` are those for wheels. Pages
    ask for `login` and then move to another path. The next `faults` pages fail. `elsewhere` is the host of the wheels;
    `logins` are what it is sent."""

    wheels, cut, requests = {}, [], []
    login, faults, elsewhere, logins = "", 0, "", []

    def do_GET(self):
        name = self.path.rstrip("/").rsplit("/", 1)[-1]
        given = self.headers.get("Authorization", "")
        if name in self.wheels:
            self.logins.append(given)
            return self.send_wheel(name)
        if self.login and given != "Basic " + base64.b64encode(self.login.encode()).decode():
            return self.answer(401, b"")
        if self.login and not self.path.startswith("/moved"):
            return self.answer(302, b"", location="/moved" + self.path)
        if Index.faults > 0:
            Index.faults -= 1
            return self.answer(503, b"")
        links = "".join(f'<a href="{self.elsewhere}/files/{each}#sha256=0">{each}</a>' for each in self.wheels)
        self.answer(200, links.encode())

    def send_wheel(self, name):
        content, wanted = self.wheels[name], self.headers.get("Range")
        self.requests.append((name, wanted))
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        self.answer(206 if wanted else 200, content[start:], self.cut.pop(0) if self.cut else None)

    def answer(self, status, content, cut=None, location=None):
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:cut])

    def log_message(self, *_):
        pass


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        Index.cut.clear()
        Index.requests.clear()
        Index.logins.clear()
        Index.login, Index.faults, Index.elsewhere = "", 0, ""
        Index.wheels = {
            "torch-2.11.0-x86_64.whl": wheel_bytes(["torch/lib/libtorch_cpu.so", "torch/lib/libc10.so", "torch/x.py",
                                                    "torch-2.11.0.dist-info/licenses/LICENSE"]),
            "nvidia_cuda_runtime-13-x86_64.whl": wheel_bytes(["nvidia/cu13/lib/libcudart.so.13"])}
        # The layout of the Debian package.
        for each in ("usr/bin", "usr/libexec/binade", "usr/share/binade"):
            (self.root / each).mkdir(parents=True)
        shutil.copy(PACKAGING / "setup-libtorch", self.root / "usr/libexec/binade")
        rows = []
        for name, content in Index.wheels.items():
            requirement = name.split("-")[0].replace("_", "-") + "==" + name.split("-")[1]
            rows.append(f"{requirement} {hashlib.sha256(content).hexdigest()} {name} {len(content)} 600000\n")
        (self.root / "usr/share/binade/wheels.txt").write_text("".join(rows))
        launcher = (PACKAGING / "deb/launcher").read_text()
        self.program("usr/bin/binade-engine", launcher.replace("@VERSION@", "0.1.0").replace("@LIBTORCH@", "2.11.0"))
        self.program("usr/libexec/binade/binade-engine",
                     '#!/bin/sh\necho "$LD_LIBRARY_PATH|$BINADE_CALLERS_LIBRARY_PATH|$BINADE_LAUNCHER|$*"\n')
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.place = self.root / "place"
        self.address = f"127.0.0.1:{server.server_port}"
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.root / "home"), "NO_PROXY": "127.0.0.1,localhost",
                            "BINADE_SHARED_LIBTORCH": str(self.root / "shared"),
                            "PIP_INDEX_URL": f"http://{self.address}/simple"}

    def program(self, name, text):
        (self.root / name).write_text(text)
        (self.root / name).chmod(0o755)

    def engine(self, *arguments, **more):
        return subprocess.run([self.root / "usr/bin/binade-engine", *arguments], capture_output=True, text=True,
                              env={**self.environment, **more}, timeout=60)

    def setup(self, *options, **more):
        done = self.engine("setup", "--json", "--to", str(self.place), *options, **more)
        return done, [json.loads(line) for line in done.stdout.splitlines()]

    def installed(self):
        return sorted(str(each.relative_to(self.place)) for each in self.place.rglob("*") if each.is_file())

    def test_libraries_and_licences_are_installed_and_nothing_else(self):
        done, events = self.setup()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(events[-1], {"event": "installed", "folder": str(self.place / "2.11.0")})
        self.assertTrue(any(each["event"] == "progress" and each["doing"] == "Downloading" for each in events))
        self.assertEqual(self.installed(), [
            ".binade-setup.lock", "2.11.0/.wheels", "2.11.0/nvidia/cu13/lib/libcudart.so.13",
            "2.11.0/torch-2.11.0.dist-info/licenses/LICENSE", "2.11.0/torch/lib/libc10.so",
            "2.11.0/torch/lib/libtorch_cpu.so"])
        Index.requests.clear()
        self.assertEqual(self.setup()[0].returncode, 0)
        self.assertEqual(Index.requests, [], "a second setup downloads nothing")

    def test_a_broken_download_continues_where_it_stopped(self):
        Index.cut.extend([100_000, 50_000])
        done, _ = self.setup()
        self.assertEqual(done.returncode, 0, done.stderr)
        torch = [wanted for name, wanted in Index.requests if name.startswith("torch")]
        self.assertEqual(torch, [None, "bytes=100000-", "bytes=150000-"])

    def test_another_file_is_refused_and_not_kept(self):
        name = "torch-2.11.0-x86_64.whl"
        Index.wheels[name] = bytes(len(Index.wheels[name]))
        done, events = self.setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not the pinned file", events[-1]["message"])
        self.assertEqual(self.installed(), [".binade-setup.lock"])

    def test_a_page_is_asked_for_again_after_a_fault_of_the_server(self):
        Index.faults = 2
        self.assertEqual(self.setup()[0].returncode, 0)
        self.assertEqual(Index.faults, 0)

    def test_name_and_password_of_the_index_go_to_its_host_only(self):
        Index.login = "me:p@ss"
        Index.elsewhere = f"http://localhost:{self.address.split(':')[1]}"
        done, _ = self.setup(PIP_INDEX_URL=f"http://me:p%40ss@{self.address}/simple")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(Index.logins, ["", ""])
        shutil.rmtree(self.place)
        Index.elsewhere = ""
        self.assertEqual(self.setup(PIP_INDEX_URL=f"http://me:p%40ss@{self.address}/simple")[0].returncode, 0)
        self.assertTrue(all(each.startswith("Basic ") for each in Index.logins[2:]), Index.logins)

    def test_no_message_repeats_a_password(self):
        Index.login = "me:right"
        for address in (f"http://me:wrong@{self.address}/simple", "ftp://me:wrong@host/simple",
                        "http://me:wrong@[/simple"):
            done, events = self.setup(PIP_INDEX_URL=address)
            self.assertEqual((done.returncode, events[-1]["event"]), (1, "error"), done.stderr)
            self.assertNotIn("wrong", done.stdout + done.stderr)
        self.assertIn("not an address", events[-1]["message"])

    def test_a_folder_replaces_the_network(self):
        given = self.root / "given"
        done, events = self.setup("--from", str(given))
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not exist", events[-1]["message"])
        given.mkdir()
        done, events = self.setup("--from", str(given))
        self.assertEqual(done.returncode, 1)
        for name in Index.wheels:
            self.assertIn(name, events[-1]["message"], "all that are missing are named at once")
        self.assertIn("pip download", events[-1]["hint"])
        for name, content in Index.wheels.items():
            (given / name).write_bytes(content)
        done, _ = self.setup("--from", str(given))
        self.assertEqual((done.returncode, Index.requests), (0, []), done.stderr)
        self.assertEqual(len(list(given.iterdir())), 2, "the user's files stay")

    def test_wheels_given_in_a_folder_below_the_place_stay(self):
        given = self.place / "downloads"
        given.mkdir(parents=True)
        for name, content in Index.wheels.items():
            (given / name).write_bytes(content)
        done, _ = self.setup("--from", str(given))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.setup("--remove")[0].returncode, 0)
        self.assertEqual(self.installed(), sorted(f"downloads/{name}" for name in Index.wheels))

    def test_space_is_needed_for_what_is_still_missing(self):
        listed = self.root / "usr/share/binade/wheels.txt"
        rows = listed.read_text()
        listed.write_text(rows.replace(" 600000\n", " 9000000000000000\n"))
        work = self.place / "2.11.0.setup"
        (work / "unpacked").mkdir(parents=True)
        part = work / "torch-2.11.0-x86_64.whl.part"
        part.write_bytes(Index.wheels[part.stem][:1000])
        (work / "unpacked/stale.so").write_bytes(b"old")
        done, events = self.setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("are needed", events[-1]["message"])
        self.assertEqual(self.installed(), [".binade-setup.lock", f"2.11.0.setup/{part.name}"], "room was made first")
        listed.write_text(rows)
        self.assertEqual(self.setup()[0].returncode, 0)
        self.assertEqual(Index.requests[0][1], "bytes=1000-")

    def test_a_damaged_libtorch_is_installed_again(self):
        self.setup()
        library = self.place / "2.11.0/torch/lib/libtorch_cpu.so"
        library.unlink()
        self.assertEqual(self.setup("--check")[0].returncode, 4)
        self.assertEqual(self.setup()[0].returncode, 0)
        self.assertTrue(library.exists())
        self.assertFalse((self.place / "2.11.0.setup").exists())

    def test_a_folder_of_somebody_else_is_not_replaced(self):
        mine = self.place / "2.11.0/mine.txt"
        mine.parent.mkdir(parents=True)
        mine.write_text("")
        done, events = self.setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("was not made by this command", events[-1]["message"])
        self.assertEqual(Index.requests, [])
        self.assertTrue(mine.exists())

    def test_check_changes_nothing_and_reports_sizes_and_place(self):
        done, events = self.setup("--check")
        self.assertEqual(done.returncode, 4)
        self.assertEqual(events[0]["download"], sum(map(len, Index.wheels.values())))
        self.assertEqual((events[0]["folder"], events[0]["installed"]), (str(self.place / "2.11.0"), False))
        self.assertFalse(self.place.exists())

    def test_remove_leaves_only_what_others_made(self):
        others = ["downloads/a.iso", "mine.txt", "x.partial/draft.txt", "x.setup/notes.txt", ".lock"]
        for each in others:
            (self.place / each).parent.mkdir(parents=True, exist_ok=True)
            (self.place / each).write_text("")
        self.assertEqual(self.setup("--remove")[0].returncode, 0, "nothing is installed")
        self.assertEqual(self.installed(), sorted(others))
        self.assertEqual(self.setup()[0].returncode, 0)
        for each in ("2.10.0/.wheels", "2.10.0/torch/lib/libtorch_cpu.so", "2.9.1.setup/torch.whl.part"):
            (self.place / each).parent.mkdir(parents=True, exist_ok=True)
            (self.place / each).write_text("")
        self.assertEqual(self.setup("--remove")[0].returncode, 0)
        self.assertEqual(self.installed(), sorted(others))

    def test_remove_leaves_the_folders_above(self):
        self.place = self.root / "above/place"
        self.setup()
        self.assertEqual(self.setup("--remove")[0].returncode, 0)
        self.assertEqual(list((self.root / "above").iterdir()), [])
        (self.root / "above/empty").mkdir()
        self.place = self.root / "above/empty"
        self.assertEqual(self.setup("--remove")[0].returncode, 0)
        self.assertTrue(self.place.exists(), "setup has made nothing in it")

    def test_the_launcher_names_the_next_step_without_libtorch(self):
        done = self.engine("probe")
        self.assertEqual(done.returncode, 4)
        self.assertIn("binade-engine setup", done.stderr)
        self.assertIn("not installed", self.engine("--version").stdout)
        self.assertEqual(self.engine("probe", BINADE_LIBTORCH="/nowhere").returncode, 4)

    def test_the_launcher_finds_the_shared_libtorch_before_the_users_own(self):
        own = self.root / "home/.local/share/binade/libtorch/2.11.0/torch"
        shared = self.root / "shared/2.11.0/torch"
        for folder in (own, shared):
            (folder / "lib").mkdir(parents=True)
            (folder / "lib/libtorch_cpu.so").write_text("")
            path, callers, launcher, words = self.engine("a", "b c", LD_LIBRARY_PATH="/x").stdout.strip().split("|")
            self.assertEqual((path, callers), (f"{folder}/lib:/x", "/x"))
            self.assertEqual((launcher, words), (str(self.root / "usr/bin/binade-engine"), "a b c"))
        named = self.root / "home/.local/share/binade/libtorch/2.11.0/torch"
        self.assertTrue(self.engine(BINADE_LIBTORCH=str(named)).stdout.startswith(f"{named}/lib"))

    def test_only_a_purge_removes_the_shared_libtorch_and_nothing_of_a_person(self):
        shared, home = self.root / "var/lib/binade", self.root / "home"
        kept = [home / ".config/binade/binade.conf", home / ".local/share/binade/runs/a.binade"]
        for file in (*kept, shared / "libtorch/2.11.0/torch/lib/libtorch_cpu.so"):
            file.parent.mkdir(parents=True)
            file.write_text("")
        script = (PACKAGING / "deb/postrm").read_text()
        self.assertIn("/var/lib/binade", script)
        script = script.replace("/var/lib/binade", str(shared))
        for action in ("upgrade", "remove", "purge"):
            subprocess.run(["sh", "-c", script, "postrm", action], check=True,
                           env={"PATH": "/usr/bin:/bin", "HOME": str(home)})
            self.assertEqual(shared.exists(), action != "purge", action)
        self.assertTrue(all(file.exists() for file in kept))


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed", flush=True)
    raise SystemExit(bool(failed))
