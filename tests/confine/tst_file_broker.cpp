// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/access.h"
#include "engine/confine/confined_process.h"
#include "tests/support/suite.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>

namespace binade {

class FileBrokers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anOutputIsCreatedRenamedAndRemoved();
  void aLinkUnderTheOutputsNameIsNotFollowed();
  void onlyNamesOfTheOutputAreAllowed();
  void checkpointsAreWrittenInTheirFolderAndNothingElse();
  void readsAndOutputsCanBeAllowedLater();
  void aFileThatIsReplacedIsStillRead();
  void accessCoversWhatLiesInIt();
};

void FileBrokers::anOutputIsCreatedRenamedAndRemoved() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const std::string file = test::temporaryFolder().toStdString() + "/run.binade";
  confine::ConfinedProcess process({.outputs = {file}}, [&file] {
    const std::string side = file + "-wal";
    const int opened = confine::open_file(side.c_str(), O_RDWR | O_CREAT | O_EXCL, 0666);
    if (opened < 0 || ::write(opened, "abc", 3) != 3) return 1;
    if (confine::open_file(side.c_str(), O_RDWR | O_CREAT | O_EXCL, 0666) >= 0 || errno != EEXIST) return 2;
    if (confine::rename_file(side.c_str(), file.c_str()) != 0) return 3;
    if (confine::rename_file(file.c_str(), (file + "/../x").c_str()) == 0) return 4;
    if (confine::open_file((file + "-shm").c_str(), O_RDWR | O_CREAT, 0666) < 0) return 5;
    return confine::unlink_file((file + "-shm").c_str()) == 0 ? 7 : 6;
  });
  QCOMPARE(process.serve_files(), 7);
  QFile written(QString::fromStdString(file));
  QVERIFY(written.open(QIODevice::ReadOnly));
  QCOMPARE(written.readAll(), QByteArray("abc"));
  QVERIFY(!QFile::exists(QString::fromStdString(file + "-shm")));
}

void FileBrokers::aLinkUnderTheOutputsNameIsNotFollowed() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const std::string folder = test::temporaryFolder().toStdString();
  const std::string file = folder + "/run.binade";
  QCOMPARE(::symlink((folder + "/elsewhere").c_str(), (file + "-wal").c_str()), 0);
  QCOMPARE(::mkfifo((file + "-shm").c_str(), 0600), 0);
  confine::ConfinedProcess process({.outputs = {file}}, [&file] {
    if (confine::open_file((file + "-wal").c_str(), O_RDWR | O_CREAT, 0666) >= 0) return 1;
    return confine::open_file((file + "-shm").c_str(), O_RDWR) >= 0 ? 2 : 7;
  });
  QCOMPARE(process.serve_files(), 7);
  QVERIFY(!QFile::exists(QString::fromStdString(folder + "/elsewhere")));
}

/// An output `.b` must not open `.bashrc`.
void FileBrokers::onlyNamesOfTheOutputAreAllowed() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const std::string file = test::temporaryFolder().toStdString() + "/.b";
  confine::ConfinedProcess process({.outputs = {file}}, [&file] {
    for (const char* const other : {"ashrc", "-walx", ".part", ".1.part", ".a-1.part", "-wal/../.bashrc"}) {
      if (confine::open_file((file + other).c_str(), O_WRONLY | O_CREAT, 0666) >= 0) return 1;
    }
    for (const char* const own : {"", "-wal", "-shm", "-journal", ".12-0.part"}) {
      if (confine::open_file((file + own).c_str(), O_WRONLY | O_CREAT, 0666) < 0) return 2;
    }
    return 7;
  });
  QCOMPARE(process.serve_files(), 7);
}

void FileBrokers::checkpointsAreWrittenInTheirFolderAndNothingElse() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const std::string folder = test::temporaryFolder().toStdString() + "/kept";
  confine::ConfinedProcess process({.checkpoints = {folder}}, [&folder] {
    const std::string step = folder + "/step-00000001.safetensors";
    if (confine::open_file((step + ".12-0.part").c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666) < 0) return 1;
    if (confine::rename_file((step + ".12-0.part").c_str(), step.c_str()) != 0) return 2;
    if (::open(step.c_str(), O_RDONLY) < 0 || ::open(folder.c_str(), O_RDONLY | O_DIRECTORY) < 0) return 3;
    if (::open((folder + "/x").c_str(), O_WRONLY | O_CREAT, 0666) >= 0) return 4;
    for (const char* const other :
         {"/autostart.desktop", "/.safetensors", "/a.safetensors.sh", "/../step-1.safetensors", "/model.safetensors",
          "/step-1.safetensors.sh", "/try-1.safetensors", "/step-.safetensors"}) {
      if (confine::open_file((folder + other).c_str(), O_WRONLY | O_CREAT, 0666) >= 0) return 5;
    }
    return confine::unlink_file(step.c_str()) == 0 ? 7 : 6;
  });
  QCOMPARE(process.serve_files(), 7);
  QVERIFY(!QFile::exists(QString::fromStdString(folder + "/../step-1.safetensors")));
}

void FileBrokers::readsAndOutputsCanBeAllowedLater() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const std::string folder = test::temporaryFolder().toStdString();
  QFile data(QString::fromStdString(folder + "/data"));
  QVERIFY(data.open(QIODevice::WriteOnly));
  data.close();
  confine::ConfinedProcess process({}, [&folder] {
    if (confine::open_file((folder + "/data").c_str(), O_RDWR) >= 0) return 1;
    if (confine::open_file((folder + "/data").c_str(), O_RDONLY) < 0) return 2;
    return confine::open_file((folder + "/out").c_str(), O_WRONLY | O_CREAT, 0666) >= 0 ? 7 : 3;
  });
  process.broker().allow_read(folder + "/data");
  process.broker().allow_output(folder + "/out");
  QCOMPARE(process.serve_files(), 7);
}

void FileBrokers::aFileThatIsReplacedIsStillRead() {
  if (!confine::why_unavailable().empty()) QSKIP("processes cannot be confined here");
  const std::string folder = test::temporaryFolder().toStdString();
  for (const char* const name : {"/model", "/new"}) {
    QFile file(QString::fromStdString(folder + name));
    QVERIFY(file.open(QIODevice::WriteOnly));
  }
  std::array<int, 2> pipe{};
  QCOMPARE(::pipe(pipe.data()), 0);
  confine::ConfinedProcess process({.reads = {folder + "/model"}},
                                   [&] {
                                     char letter = 0;
                                     if (::read(pipe[0], &letter, 1) != 1) return 1;
                                     const std::string file = folder + "/model";
                                     if (confine::open_file(file.c_str(), O_WRONLY) >= 0) return 2;
                                     return confine::open_file(file.c_str(), O_RDONLY) >= 0 ? 7 : 3;
                                   },
                                   {pipe[0]});
  QCOMPARE(std::rename((folder + "/new").c_str(), (folder + "/model").c_str()), 0);
  QCOMPARE(::write(pipe[1], "x", 1), ssize_t{1});
  QCOMPARE(process.serve_files(), 7);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

void FileBrokers::accessCoversWhatLiesInIt() {
  const confine::Access access{
      .reads = {"/a/model.pt"}, .read_folders = {"/data"}, .folders = {"/made"}, .checkpoints = {"/kept"}};
  QVERIFY(confine::covers(access, {}));
  QVERIFY(confine::covers(access, {.reads = {"/a/model.pt", "/data/x/y", "/made/z", ""}}));
  QVERIFY(!confine::covers(access, {.reads = {"/a"}}));
  QVERIFY(!confine::covers(access, {.reads = {"/database"}}));
  QVERIFY(!confine::covers(access, {.reads = {"/data/../a/b"}}));
  QVERIFY(!confine::covers(access, {.folders = {"/data"}}));
  QVERIFY(confine::covers(access, {.read_folders = {"/data/x", "/kept"}}));
  QVERIFY(!confine::covers(access, {.read_folders = {"/a"}}));
  QVERIFY(confine::covers(access, {.reads = {"/kept/a"}, .checkpoints = {"/kept"}}));
  QVERIFY(!confine::covers(access, {.checkpoints = {"/made"}}));
  confine::Access sum = access;
  confine::add(sum, {.reads = {"/a/model.pt", "", "/b"}, .read_folders = {"/data", "/c"}, .gpu = true});
  QCOMPARE(sum.reads.size(), std::size_t{2});
  QCOMPARE(sum.read_folders.size(), std::size_t{2});
  QVERIFY(sum.gpu);
}

BINADE_SUITE(FileBrokers);

}  // namespace binade

#include "tst_file_broker.moc"
