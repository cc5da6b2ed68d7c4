# SPDX-License-Identifier: Apache-2.0
"""Makes an installed tree run without the system's Qt: copies shared libraries and Qt's plug-ins into it."""
import os
import re
import shutil
import subprocess

# Every Linux has these, and they must fit its kernel and its name services. All others are copied, libstdc++ too.
GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1", "libresolv.so.2",
         "libanl.so.1", "ld-linux-x86-64.so.2", "linux-vdso.so.1"}
OLDEST_GLIBC = (2, 36)  # Debian 12

# Windows under X11 and Wayland, the platform without a display, and icons. Plug-ins for OpenGL are left out: they would
# open the drivers of the machine, and the explorer does not use OpenGL.
PLUGINS = ("platforms/libqxcb.so", "platforms/libqwayland-generic.so", "platforms/libqoffscreen.so",
           "platforminputcontexts/*.so", "wayland-shell-integration/libxdg-shell.so",
           "wayland-decoration-client/libbradient.so", "iconengines/libqsvgicon.so", "imageformats/libqsvg.so")


class Missing(Exception):
    """A file that the packages need is not on this machine, or is too new; the text says which, and what helps."""


def is_program(path):
    """Whether `path` is a file of machine code, a program or a library."""
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def programs(tree):
    """Yields the programs and libraries below `tree`."""
    for folder, _, names in os.walk(tree):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if is_program(path):
                yield path


def needed(path, libtorch):
    """The libraries that `path` loads at its start, as {name: file}, without those of glibc. LibTorch's are those in
    the folder `libtorch`."""
    found = _loaded(path, {})
    if None in found.values():
        found = _loaded(path, {"LD_LIBRARY_PATH": os.path.join(libtorch, "lib")})
    for name, file in found.items():
        if file is None:
            raise Missing(f"{path} needs {name}, which is not installed")
    return found


def _loaded(path, more):
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", **more}
    text = subprocess.run(["ldd", path], env=environment, check=True, capture_output=True, text=True).stdout
    return {name: None if file == "not found" else os.path.realpath(file)
            for name, file in re.findall(r"^\s*(\S+) => (not found|\S+)", text, re.MULTILINE) if name not in GLIBC}


def add_qt(tree, libtorch):
    """Copies Qt's plug-ins, and the libraries of the programs and plug-ins, into `tree`/lib. Returns the originals of
    all copies, and the libraries of LibTorch that the programs need, which are not copied: {name: file} both."""
    plugins, translations = _qt_folder("plugins"), _qt_folder("translations")
    copied, torch = {}, {}
    from_torch = os.path.realpath(os.path.dirname(libtorch)) + "/"
    wanted = list(programs(tree))
    for pattern in PLUGINS:
        files = _matching(plugins, pattern)
        if not files:
            raise Missing(f"{plugins} has no {pattern}: install qt6-qpa-plugins, qt6-wayland and libqt6svg6")
        for file in files:
            place = os.path.join(tree, "lib/qt6/plugins", os.path.relpath(file, plugins))
            _copy(file, place)
            copied[os.path.basename(file)] = file
            wanted.append(file)
    for path in wanted:
        for name, file in needed(path, libtorch).items():
            (torch if file.startswith(from_torch) else copied)[name] = file
            if not file.startswith(from_torch):
                _copy(file, os.path.join(tree, "lib", name))
    for language in os.listdir(os.path.join(tree, "share/binade/translations")):
        texts = language.replace("binade_", "qtbase_")
        if not os.path.exists(os.path.join(translations, texts)):
            raise Missing(f"{translations} has no {texts}: install qt6-translations-l10n")
        _copy(os.path.join(translations, texts), os.path.join(tree, "lib/qt6/translations", texts))
        copied[texts] = os.path.join(translations, texts)
    with open(os.path.join(tree, "bin/qt.conf"), "w", encoding="utf-8") as file:
        file.write("[Paths]\nPrefix = ../lib/qt6\nPlugins = plugins\nTranslations = translations\n")
    _set_run_paths(tree)
    return copied, torch


def check_glibc(paths):
    """Raises Missing if one of these files needs a newer glibc than that of Debian 12."""
    for path in paths:
        text = subprocess.run(["readelf", "--version-info", path], check=True, capture_output=True, text=True).stdout
        versions = {tuple(map(int, version.split("."))) for version in re.findall(r"\bGLIBC_([0-9.]+)", text)}
        if versions and max(versions) > OLDEST_GLIBC:
            newest = ".".join(map(str, max(versions)))
            raise Missing(f"{path} needs glibc {newest}: make these packages on Debian 12, which has 2.36")


def _set_run_paths(tree):
    """Lets the programs find the copies, before anything that the machine or its user sets. The kind of run path is the
    old one, which also holds for the libraries of libraries: these stay as they are."""
    lib = os.path.join(tree, "lib")
    for path in programs(tree):
        before = subprocess.run(["patchelf", "--print-rpath", path], check=True, capture_output=True, text=True).stdout
        if path.startswith(lib + "/"):
            if before.strip():
                subprocess.run(["patchelf", "--remove-rpath", path], check=True)
            continue
        ways = ["$ORIGIN/" + os.path.relpath(lib, os.path.dirname(path)), *filter(None, before.strip().split(":"))]
        subprocess.run(["patchelf", "--force-rpath", "--set-rpath", ":".join(ways), path], check=True)


def _qt_folder(kind):
    places = {"plugins": ["/usr/lib/x86_64-linux-gnu/qt6/plugins", "/usr/lib64/qt6/plugins", "/usr/lib/qt6/plugins"],
              "translations": ["/usr/share/qt6/translations"]}[kind]
    for place in places:
        if os.path.isdir(place):
            return place
    raise Missing(f"no folder of Qt's {kind} at {' or '.join(places)}")


def _matching(folder, pattern):
    kind, name = pattern.split("/")
    inside = os.path.join(folder, kind)
    expression = re.compile(re.escape(name).replace(r"\*", ".*"))
    names = sorted(os.listdir(inside)) if os.path.isdir(inside) else []
    return [os.path.join(inside, each) for each in names if expression.fullmatch(each)]


def _copy(file, place):
    if not os.path.exists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(file, place)
        os.chmod(place, 0o755 if is_program(place) else 0o644)
