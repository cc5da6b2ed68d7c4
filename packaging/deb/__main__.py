# SPDX-License-Identifier: Apache-2.0
"""python3 packaging/deb TREE LIBTORCH OUT

Makes the Debian package. TREE is a folder with an installed Binade, made by `cmake --install build/dev --component
Unspecified --strip --prefix TREE`; it stays as it is. LIBTORCH is a folder with lib/, which the package will not
contain. Prints the path of the package."""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from datetime import datetime, timezone
from email.utils import format_datetime

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGING = os.path.dirname(HERE)
ENGINE = "usr/libexec/binade/binade-engine"
MAINTAINER = "The Binade authors <maintainers@binade.org>"

# Python runs setup, which downloads over HTTPS. No program links Qt's plug-ins, which windows need.
DEPENDS = ["ca-certificates", "python3", "qt6-qpa-plugins"]
RECOMMENDS = ["bash-completion", "dataset-fashion-mnist", "qt6-translations-l10n"]
SUGGESTS = ["qt6-wayland"]  # brings Qt Quick along; under Wayland, windows work by Xwayland too


def main(arguments):
    """Returns the exit code."""
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    tree, libtorch, out = map(os.path.realpath, arguments)
    version, when = release()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        root = os.path.join(folder, "binade")
        lay_out(tree, root, version)
        write_documents(root, version, when)
        machine = architecture()
        write_control(root, version, machine, libtorch)
        normalise(root, when)
        package = os.path.join(out, f"binade_{version}_{machine}.deb")
        subprocess.run(["dpkg-deb", "--build", "--root-owner-group", "-Zxz", root, package], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(int(when.timestamp()))})
    print(f"{package}  {os.path.getsize(package) / 1e6:.1f} MB", file=sys.stderr)
    print(package)
    return 0


def release():
    """Returns version and date of the newest release of the AppStream file."""
    newest = xml.etree.ElementTree.parse(os.path.join(PACKAGING, "org.binade.Binade.metainfo.xml")).find(".//release")
    return newest.get("version"), datetime.fromisoformat(newest.get("date")).replace(tzinfo=timezone.utc)


def architecture():
    """Returns Debian's name of the architecture for which the programs are built: that of this machine."""
    return subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()


def lay_out(tree, root, version):
    """Copies the tree, and puts the launcher in the place of the engine: LibTorch is found when a program starts."""
    shutil.copytree(tree, os.path.join(root, "usr"), symlinks=True)
    command = os.path.join(root, "usr/bin/binade-engine")
    os.replace(command, os.path.join(root, ENGINE))
    with open(os.path.join(PACKAGING, "wheels.txt"), encoding="utf-8") as text:
        libtorch = re.search(r"^torch==(\S+)", text.read(), re.MULTILINE)[1]
    with open(os.path.join(HERE, "launcher"), encoding="utf-8") as text, open(command, "w", encoding="utf-8") as file:
        file.write(text.read().replace("@VERSION@", version).replace("@LIBTORCH@", libtorch))
    zsh = os.path.join(root, "usr/share/zsh")
    if os.path.isdir(zsh):
        os.replace(os.path.join(zsh, "site-functions"), os.path.join(zsh, "vendor-completions"))  # Debian's folder
    # LibTorch's folder comes from the launcher. A run path would be searched before it.
    subprocess.run(["cmake", f"-DFILE={os.path.join(root, ENGINE)}", "-P", os.path.join(HERE, "no_run_path.cmake")],
                   check=True, stdout=subprocess.DEVNULL)  # standard output has the package's path alone


def write_documents(root, version, when):
    """Debian's changelog and copyright, and manual pages packed as its policy wants them."""
    documents = os.path.join(root, "usr/share/doc/binade")
    shutil.copyfile(os.path.join(HERE, "copyright"), os.path.join(documents, "copyright"))
    os.rename(os.path.join(documents, "CHANGELOG.md"), os.path.join(documents, "NEWS.md"))
    changelog = (f"binade ({version}) unstable; urgency=medium\n\n  * Release {version}. NEWS.md lists the changes.\n\n"
                 f" -- {MAINTAINER}  {format_datetime(when)}\n")
    pack(os.path.join(documents, "changelog.gz"), changelog.encode())
    for name in ("NEWS.md",):
        replace_by_packed(os.path.join(documents, name))
    manual = os.path.join(root, "usr/share/man/man1")
    for name in os.listdir(manual):
        replace_by_packed(os.path.join(manual, name))


def replace_by_packed(path):
    with open(path, "rb") as file:
        content = file.read()
    os.remove(path)
    pack(path + ".gz", content)


def pack(path, content):
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(content)


def write_control(root, version, machine, libtorch):
    folder = os.path.join(root, "DEBIAN")
    os.mkdir(folder)
    with open(os.path.join(HERE, "description.txt"), encoding="utf-8") as text:
        synopsis, *lines = text.read().splitlines()
    description = "\n".join(f" {line}" if line else " ." for line in lines)
    depends = sorted(shared_libraries(root, libtorch) + DEPENDS)
    fields = {"Package": "binade", "Version": version, "Architecture": machine, "Maintainer": MAINTAINER,
              "Installed-Size": str(kibibytes(root)), "Depends": ", ".join(depends),
              "Recommends": ", ".join(RECOMMENDS), "Suggests": ", ".join(SUGGESTS),
              "Section": "science", "Priority": "optional", "Description": f"{synopsis}\n{description}"}
    with open(os.path.join(folder, "control"), "w", encoding="utf-8") as file:
        file.writelines(f"{name}: {value}\n" for name, value in fields.items())
    shutil.copyfile(os.path.join(HERE, "postrm"), os.path.join(folder, "postrm"))
    with open(os.path.join(folder, "md5sums"), "w", encoding="utf-8") as file:
        for path in sorted(files(root)):
            with open(path, "rb") as content:
                file.write(f"{hashlib.md5(content.read()).hexdigest()}  {os.path.relpath(path, root)}\n")


def shared_libraries(root, libtorch):
    """Returns the packages of the shared libraries that the programs link, without LibTorch, as dpkg finds them."""
    programs = [os.path.join(root, ENGINE), os.path.join(root, "usr/bin/binade")]
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "debian"))
        with open(os.path.join(folder, "debian/control"), "w", encoding="utf-8") as file:
            file.write("Source: binade\n\nPackage: binade\nArchitecture: any\n")
        found = subprocess.run(["dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0",
                                "-l" + os.path.join(libtorch, "lib"), *("-e" + program for program in programs)],
                               cwd=folder, check=True, capture_output=True, text=True).stdout
    return re.search(r"^shlibs:Depends=(.*)$", found, re.MULTILINE)[1].split(", ")


def files(root):
    """Yields the files that are installed."""
    for folder, names, found in os.walk(root):
        if folder == root:
            names.remove("DEBIAN")
        yield from (os.path.join(folder, name) for name in found)


def kibibytes(root):
    return sum((os.path.getsize(path) + 1023) // 1024 for path in files(root))


def normalise(root, when):
    """Gives every file the rights of an installation and the date of the release: equal trees make equal packages."""
    for folder, _, names in os.walk(root, topdown=False):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                runs = file.read(2) in (b"\x7fE", b"#!")
            os.chmod(path, 0o755 if runs else 0o644)
            os.utime(path, (when.timestamp(), when.timestamp()))
        os.chmod(folder, 0o755)
        os.utime(folder, (when.timestamp(), when.timestamp()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
