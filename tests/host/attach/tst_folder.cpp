// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/far_files.h"
#include "engine/record/run_writer.h"
#include "tests/host/attach/training.h"
#include "tests/record/run_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QFile>

#include <filesystem>

using namespace binade;
namespace fs = std::filesystem;

namespace {

void touch(const std::string& path, const QByteArray& text = {}) {
  QFile file(QString::fromStdString(path));
  if (file.open(QIODevice::WriteOnly)) file.write(text);
}

std::vector<std::string> namesOf(const wire::FolderList& list) {
  std::vector<std::string> names;
  for (const auto& each : list.entries) names.push_back(each.name);
  return names;
}

std::string errorOf(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

wire::FilePart partOf(host::FarFiles& files, const wire::ReadFile& asked) {
  return wire::decode<wire::FilePart>(files.answer({1, "file.read", wire::encode(asked)}));
}

}  // namespace

/// Folders and run files of the engine's computer.
class Folder : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void foldersComeFirstAndHiddenNamesOnRequest();
  void aPersonsPathsAreUnderstood();
  void whatCannotBeListedSaysWhy();
  void aLargeFolderIsCut();
  void onlyRunFilesAreRead();
  void partsOfACopyMakeTheFile();
  void theServedEngineAnswers();
};

void Folder::foldersComeFirstAndHiddenNamesOnRequest() {
  const std::string folder = test::temporaryFolder().toStdString();
  fs::create_directories(folder + "/z-folder");
  fs::create_directories(folder + "/.git");
  touch(folder + "/a.binade", "12345");
  touch(folder + "/.hidden");
  QVERIFY(::mkfifo((folder + "/pipe").c_str(), 0600) == 0);
  fs::create_symlink(folder + "/nowhere", folder + "/broken");
  const wire::FolderList list = host::list_folder({folder});
  QCOMPARE(list.path, folder);
  QCOMPARE(list.parent, fs::path(folder).parent_path().string());
  QCOMPARE(namesOf(list), (std::vector<std::string>{"z-folder", "a.binade"}));
  QVERIFY(list.entries[0].folder && !list.entries[1].folder);
  QCOMPARE(list.entries[1].bytes, std::int64_t{5});
  QVERIFY(list.entries[1].modified > 1'700'000'000 && list.entries[1].readable);
  QCOMPARE(namesOf(host::list_folder({folder, true})),
           (std::vector<std::string>{".git", "z-folder", ".hidden", "a.binade"}));
}

void Folder::aPersonsPathsAreUnderstood() {
  const std::string home = test::temporaryFolder().toStdString();
  fs::create_directories(home + "/runs/today");
  touch(home + "/runs/a.binade");
  const QByteArray before = qgetenv("HOME");
  qputenv("HOME", QByteArray::fromStdString(home));
  QCOMPARE(host::list_folder({}).path, home);
  QCOMPARE(host::list_folder({"~"}).path, home);
  QCOMPARE(host::list_folder({"~/runs"}).path, home + "/runs");
  QCOMPARE(host::list_folder({"runs/"}).path, home + "/runs");
  QCOMPARE(host::list_folder({home + "/runs/today/../today/."}).path, home + "/runs/today");
  QCOMPARE(host::list_folder({home + "/runs/a.binade"}).path, home + "/runs");
  QCOMPARE(host::list_folder({"/"}).parent, std::string());
  QCOMPARE(host::list_folder({"/"}).home, home);
  qputenv("HOME", before);
}

void Folder::whatCannotBeListedSaysWhy() {
  const std::string folder = test::temporaryFolder().toStdString();
  const std::string missing = errorOf([&] { host::list_folder({folder + "/missing"}); });
  QVERIFY2(missing.find("/missing cannot be listed: No such file") != std::string::npos, missing.c_str());
  if (::geteuid() == 0) QSKIP("root may list every folder");
  fs::create_directories(folder + "/closed");
  QVERIFY(::chmod((folder + "/closed").c_str(), 0) == 0);
  const std::string closed = errorOf([&] { host::list_folder({folder + "/closed"}); });
  QVERIFY2(closed.find("Permission denied") != std::string::npos, closed.c_str());
  QVERIFY(!host::list_folder({folder}).entries[0].readable);
  ::chmod((folder + "/closed").c_str(), 0700);
}

void Folder::aLargeFolderIsCut() {
  const std::string folder = test::temporaryFolder().toStdString();
  for (int i = 0; i < wire::kMostFolderEntries + 7; ++i) touch(folder + "/" + std::to_string(i));
  const wire::FolderList list = host::list_folder({folder});
  QCOMPARE(static_cast<std::int64_t>(list.entries.size()), wire::kMostFolderEntries);
  QCOMPARE(list.left_out, std::int64_t{7});
}

void Folder::onlyRunFilesAreRead() {
  const std::string folder = test::temporaryFolder().toStdString();
  touch(folder + "/text.binade", "no database at all, but some text that is longer than a header of one would be");
  {
    record::RunWriter made(folder + "/empty.binade");
    made.close();
  }
  record::Database other(folder + "/empty.binade", record::Database::Mode::kReadWrite);
  other.run("PRAGMA application_id = 7");
  for (const char* name : {"/text.binade", "/empty.binade", "/missing.binade", ""}) {
    host::FarFiles files;
    const std::string error = errorOf([&] { partOf(files, {.file = folder + name}); });
    QVERIFY2(error != "nothing was thrown", name);
    QVERIFY2(error.find(folder) != std::string::npos, error.c_str());
  }
  host::FarFiles files;
  QVERIFY(errorOf([&] { partOf(files, {.file = "/etc/passwd", .copy = "1"}); }).find("no such copy") !=
          std::string::npos);
}

void Folder::partsOfACopyMakeTheFile() {
  const std::string folder = test::temporaryFolder().toStdString();
  const std::string path = folder + "/run.binade";
  record::RunWriter writer(path);
  writer.add(test::sampleStarted());
  for (int step = 0; step < 50; ++step) writer.add(test::sampleStep(step));
  writer.flush();
  host::FarFiles files;
  wire::ReadFile asked{.file = path, .bytes = 1000};
  wire::FilePart part = partOf(files, asked);
  asked.copy = part.copy;
  // What is written from now on is not part of the copy.
  for (int step = 50; step < 80; ++step) writer.add(test::sampleStep(step));
  writer.flush();
  std::string whole;
  for (int i = 0; i < 100'000 && (!part.ready || asked.offset < part.size); ++i) {
    part = partOf(files, asked);
    if (!part.ready) continue;
    QCOMPARE(part.offset, asked.offset);
    whole += part.data.value;
    asked.offset = static_cast<std::int64_t>(whole.size());
  }
  QCOMPARE(static_cast<std::int64_t>(whole.size()), part.size);
  touch(folder + "/copy.binade", QByteArray::fromStdString(whole));
  QCOMPARE(test::stepCount(folder + "/copy.binade"), std::int64_t{50});
  const record::RunReader reader(folder + "/copy.binade");
  QVERIFY(reader.started().has_value());
  writer.close();
  QCOMPARE(test::stepCount(path), std::int64_t{80});
}

void Folder::theServedEngineAnswers() {
  const test::AttachPlace place;
  const std::string folder = test::temporaryFolder().toStdString();
  touch(folder + "/a.json");
  test::Bridged engine(place, {QStringLiteral(BINADE_BIN_DIR "/binade-engine"), QStringLiteral("serve"),
                               QStringLiteral("--confined-if-possible")});
  QVERIFY(engine.hello());
  const auto response = engine.peer->answer("folder.list", wire::encode(wire::ListFolder{folder}));
  const auto failure = test::failureIn(response);
  QVERIFY2(response && !failure, failure ? failure->message.c_str() : "no answer");
  const auto list = wire::decode<wire::FolderList>(std::get<nlohmann::json>(response->outcome));
  QCOMPARE(namesOf(list), std::vector<std::string>{"a.json"});
  QVERIFY(test::failureIn(engine.peer->answer("folder.list", wire::encode(wire::ListFolder{folder + "/none"}))));
}

BINADE_SUITE(Folder);
#include "tst_folder.moc"
