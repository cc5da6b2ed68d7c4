// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/formats/error.h"
#include "engine/run/trainer.h"
#include "engine/train/model_state.h"
#include "tests/run/small_run.h"
#include "tests/support/full_disk.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <filesystem>
#include <optional>

using namespace binade;
using test::Listening;
using test::runToEnd;
using test::smallRun;

class TestFullDisk : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aFullDiskEndsNothing();
  void aModelOnAFullDiskIsNotSaved();
};

void TestFullDisk::aFullDiskEndsNothing() {
  wire::RunConfig config = smallRun(6);
  config.observe.level = "off";
  config.checkpoint = {test::temporaryFolder().toStdString(), 2, 5};
  std::optional<test::FullDisk> full;
  Listening heard;
  heard.at_step = [&](const wire::StepRecord& step) {
    if (step.step == 2) full.emplace(4096);
  };
  const auto done = runToEnd(config, heard);
  full.reset();
  QCOMPARE(done.finished.steps, 6);
  QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);  // and says why: a person waits for that file
  QVERIFY2(done.finished.message.starts_with("The last checkpoint, of step 6, was not saved, though every step"),
           done.finished.message.c_str());
  QVERIFY2(done.finished.hint.find(heard.checkpoints.front().file) != std::string::npos, done.finished.hint.c_str());
  QCOMPARE(heard.checkpoints.size(), std::size_t{1});
  QCOMPARE(checkpoint::CheckpointFolder::files_in(config.checkpoint.folder),
           (std::vector<std::string>{heard.checkpoints.front().file}));
  QVERIFY(checkpoint::inspect_checkpoint(heard.checkpoints.front().file).step == 2);
  const auto said = std::count_if(heard.log.begin(), heard.log.end(), [](const std::string& line) {
    return line.find("was not saved, and training continues") != std::string::npos;
  });
  QCOMPARE(said, std::ptrdiff_t{2});  // at steps 4 and 6; the end tells of its own
}

void TestFullDisk::aModelOnAFullDiskIsNotSaved() {
  const auto training = train::set_up(smallRun(1));
  const std::string file = test::temporaryFolder().toStdString() + "/trained.pt";
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{20000}}) {
    std::optional<test::FullDisk> full(bytes);
    std::string why;
    try {
      train::save_model(training->model, file);
    } catch (const Error& error) {
      why = error.what();
    }
    full.reset();
    QVERIFY2(why.starts_with(file + " cannot be written: "), why.c_str());
  }
  QVERIFY(std::filesystem::is_empty(std::filesystem::path(file).parent_path()));
}

BINADE_SUITE(TestFullDisk);
#include "tst_full_disk.moc"
