// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/files/atomic_file.h"
#include "engine/formats/error.h"
#include "tests/support/suite.h"
#include "tests/support/warnings.h"

#include <QDir>
#include <QFile>

#include <cstdint>
#include <filesystem>

using namespace binade;

namespace {

/// Their names, in order.
QStringList names(const std::vector<std::string>& files) {
  QStringList all;
  for (const std::string& file : files) all << QFileInfo(QString::fromStdString(file)).fileName();
  return all;
}

}  // namespace

class TestCheckpointFolder : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    test::failOnWarnings();
    folder_ = test::temporaryFolder();
  }
  void checkpointsAreOrderedByTheStepAsANumber();
  void theOldestGoesWhateverTheLengthOfItsName();
  void theNewestIsTheLatestStateOfAll();
  void aTryTakesNoPlaceOfTheRunsOwn();
  void whatKilledEnginesLeftIsRemoved();
  void whatIsBeingWrittenStays();
  void twoRunsDoNotShareOne();

 private:
  std::string folder() const { return folder_.toStdString(); }
  void makeFile(const std::string& name) const {
    QFile file(QString::fromStdString(folder() + "/" + name));
    QVERIFY(file.open(QIODevice::WriteOnly));
  }
  QStringList there() const { return QDir(folder_).entryList(QDir::Files, QDir::Name); }
  wire::CheckpointConfig keeping(std::int64_t count) const { return {folder(), 1, count}; }

  QString folder_;
};

void TestCheckpointFolder::checkpointsAreOrderedByTheStepAsANumber() {
  for (const char* name : {"step-100000000.safetensors", "step-99999999.safetensors", "step-00000009.safetensors",
                           "edit-99999999-r10.safetensors", "edit-99999999-r9.safetensors", "step-.safetensors",
                           "step-00000001.safetensors.bak", "step-1x.safetensors", "weights.safetensors"}) {
    makeFile(name);
  }
  QCOMPARE(names(checkpoint::CheckpointFolder::files_in(folder())),
           (QStringList{"step-00000009.safetensors", "edit-99999999-r9.safetensors", "edit-99999999-r10.safetensors",
                        "step-99999999.safetensors", "step-100000000.safetensors"}));
}

void TestCheckpointFolder::theOldestGoesWhateverTheLengthOfItsName() {
  for (const char* name : {"step-99999999.safetensors", "step-100000000.safetensors"}) makeFile(name);
  const std::string resumed = folder() + "/step-100000000.safetensors";
  checkpoint::CheckpointFolder checkpoints(keeping(2), resumed);
  const std::string next = checkpoints.file_for("step", 100000001, 0);
  makeFile("step-100000001.safetensors");
  checkpoints.added(next);
  QCOMPARE(there(), (QStringList{"step-100000000.safetensors", "step-100000001.safetensors"}));
}

void TestCheckpointFolder::theNewestIsTheLatestStateOfAll() {
  QCOMPARE(checkpoint::CheckpointFolder(keeping(2), {}).newest(), std::string());
  for (const char* name : {"step-00000002.safetensors", "edit-00000003-r1.safetensors"}) makeFile(name);
  const std::string edit = folder() + "/edit-00000003-r1.safetensors";
  checkpoint::CheckpointFolder checkpoints(keeping(2), edit);
  QCOMPARE(checkpoints.newest(), edit);
  const std::string step = checkpoints.file_for("step", 4, 1);
  checkpoints.added(step);
  QCOMPARE(checkpoints.newest(), step);
}

void TestCheckpointFolder::aTryTakesNoPlaceOfTheRunsOwn() {
  checkpoint::CheckpointFolder checkpoints(keeping(2), {});
  const auto add = [&](const char* reason, std::int64_t step) {
    const std::string file = checkpoints.file_for(reason, step, 3);
    makeFile(std::filesystem::path(file).filename().string());
    checkpoints.added(file);
  };
  for (const std::int64_t step : {1, 2}) add("step", step);
  add("edit", 2);
  for (const std::int64_t step : {3, 4, 5}) add("try", step);
  QCOMPARE(there(),
           (QStringList{"edit-00000002-r3.safetensors", "step-00000001.safetensors", "step-00000002.safetensors",
                        "try-00000004-r3.safetensors", "try-00000005-r3.safetensors"}));
  QCOMPARE(QFileInfo(QString::fromStdString(checkpoints.newest())).fileName(),
           QStringLiteral("try-00000005-r3.safetensors"));
  add("step", 5);  // later than the Try's at the same step
  QCOMPARE(QFileInfo(QString::fromStdString(checkpoints.newest())).fileName(),
           QStringLiteral("step-00000005.safetensors"));
}

void TestCheckpointFolder::whatKilledEnginesLeftIsRemoved() {
  for (const char* name : {"step-00000002.safetensors.4711-0.part", "edit-00000002-r1.safetensors.4711-12.part"}) {
    makeFile(name);
  }
  // Not ours, or not half-written: other names, other programs' endings.
  const QStringList others{"data.safetensors.4711-0.part", "notes.part", "step-00000002.safetensors.4711.part",
                           "step-00000002.safetensors.part", "step-00000002.safetensors.x-1.part"};
  for (const QString& name : others) makeFile(name.toStdString());
  const checkpoint::CheckpointFolder checkpoints(keeping(2), {});
  QStringList left = others;
  left.sort();
  QCOMPARE(there(), left);
}

void TestCheckpointFolder::whatIsBeingWrittenStays() {
  files::AtomicFile writing(folder() + "/step-00000002.safetensors");
  writing.write("half", 4);
  const checkpoint::CheckpointFolder checkpoints(keeping(2), {});
  writing.commit();
  QCOMPARE(there(), QStringList{"step-00000002.safetensors"});
}

void TestCheckpointFolder::twoRunsDoNotShareOne() {
  {
    const checkpoint::CheckpointFolder one(keeping(2), {});
    try {
      const checkpoint::CheckpointFolder other(keeping(2), {});
      QFAIL("shared");
    } catch (const Error& error) {
      QVERIFY2(QString::fromUtf8(error.what()).endsWith(QStringLiteral("is in use by another run")), error.what());
    }
  }
  const checkpoint::CheckpointFolder later(keeping(2), {});
  QVERIFY(later.kept());
}

BINADE_SUITE(TestCheckpointFolder);
#include "tst_checkpoint_folder.moc"
