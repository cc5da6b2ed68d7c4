// SPDX-License-Identifier: Apache-2.0
#include "engine/files/atomic_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

using binade::files::AtomicFile;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// The names that the next temporary files of this process would get.
QStringList nextNames(const fs::path& file) {
  const std::string last = AtomicFile(file.string()).temporary();
  const QString name = QString::fromStdString(last);
  const qsizetype dash = name.lastIndexOf(u'-');
  const int number = name.mid(dash + 1).chopped(5).toInt();  // without ".part"
  QStringList names;
  for (int i = 1; i <= 3; ++i) names << name.left(dash + 1) + QString::number(number + i) + QStringLiteral(".part");
  return names;
}

}  // namespace

class TestAtomicFile : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLinkInItsWayIsNotFollowed();
  void aFileInItsWayIsNotShared();
  void withoutCommitTheOlderFileStays();
};

void TestAtomicFile::aLinkInItsWayIsNotFollowed() {
  const fs::path folder = binade::test::temporaryFolder().toStdString();
  const fs::path precious = folder / "precious";
  const fs::path file = folder / "linked.safetensors";
  put(precious, "keep me");
  const QStringList names = nextNames(file);
  for (const QString& name : names) fs::create_symlink(precious, name.toStdString());
  AtomicFile made(file.string());
  QVERIFY(!names.contains(QString::fromStdString(made.temporary())));
  made.write("new", 3);
  made.commit();
  QCOMPARE(contents(precious), std::string("keep me"));
  QCOMPARE(contents(file), std::string("new"));
  QVERIFY(!fs::is_symlink(file));
}

void TestAtomicFile::aFileInItsWayIsNotShared() {
  const fs::path file = fs::path(binade::test::temporaryFolder().toStdString()) / "taken.safetensors";
  const QStringList names = nextNames(file);
  for (const QString& name : names) put(name.toStdString(), "of another writer");
  AtomicFile made(file.string());
  made.write("new", 3);
  made.commit();
  QCOMPARE(contents(file), std::string("new"));
  for (const QString& name : names) QCOMPARE(contents(name.toStdString()), std::string("of another writer"));
}

void TestAtomicFile::withoutCommitTheOlderFileStays() {
  const fs::path file = fs::path(binade::test::temporaryFolder().toStdString()) / "older.safetensors";
  put(file, "older");
  std::string temporary;
  {
    AtomicFile made(file.string());
    temporary = made.temporary();
    made.write("new", 3);
    QVERIFY(fs::exists(temporary));
  }
  QCOMPARE(contents(file), std::string("older"));
  QVERIFY(!fs::exists(temporary));
}

BINADE_SUITE(TestAtomicFile);
#include "tst_atomic_file.moc"
