// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/interchange/event_bundle.h"
#include "engine/record/run_reader.h"
#include "engine/wire/run_config.h"
#include "tests/interchange/event_file.h"
#include "tests/interchange/recorded.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

using namespace binade;
using interchange::EventBundle;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kEventStep = 3;  // of recordedHistory()
const std::string kState = "the state before step 3";

/// Records recordedHistory() with a model file and, if asked for, the state before its event.
std::string runWithEvent(const std::string& folder, bool state) {
  std::ofstream(folder + "/net.pt") << "a model";
  if (state) std::ofstream(folder + "/run.step-3.safetensors") << kState;
  auto history = test::recordedHistory();
  for (record::RunRecord& record : history) {
    if (auto* started = std::get_if<wire::RunStarted>(&record)) started->config.model = folder + "/net.pt";
    auto* event = std::get_if<wire::Event>(&record);
    if (event == nullptr || event->step != kEventStep) continue;
    event->diagnosis.emplace();
    event->diagnosis->bundle = "run.step-3.safetensors";
  }
  test::recordRun(folder + "/run.binade", history);
  return folder + "/run.binade";
}

bool holds(const EventBundle& bundle, const std::string& file) {
  return std::find(bundle.files.begin(), bundle.files.end(), file) != bundle.files.end();
}

std::optional<Error> failureOf(const std::string& run, std::int64_t step, const std::string& out) {
  try {
    interchange::write_event_bundle(run, step, out);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

class EventBundles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theFolderHasAllThatReproducesTheEvent() {
    const std::string folder = test::temporaryFolder().toStdString();
    const std::string out = folder + "/event";
    const EventBundle bundle = interchange::write_event_bundle(runWithEvent(folder, true), kEventStep, out);
    QVERIFY(bundle.replayable);
    for (const char* file : {"README.txt", "event.json", "event.policy.json", "event.run.json", "event.binade",
                             "event.step-3.safetensors", "model.pt"}) {
      QVERIFY2(holds(bundle, file) && fs::exists(fs::path(out) / file), file);
    }
    QCOMPARE(test::readBytes(out + "/event.step-3.safetensors"), kState);
    QCOMPARE(test::readBytes(out + "/model.pt"), std::string("a model"));
    const std::string read_me = test::readBytes(out + "/README.txt");
    QVERIFY(read_me.find("binade-engine replay event.binade --step 3") != std::string::npos);
    QVERIFY(read_me.find("--resume event.step-3.safetensors") != std::string::npos);

    const record::RunReader reader(out + "/event.binade");
    QCOMPARE(reader.started()->config.model, std::string("model.pt"));
    QVERIFY(reader.step(kEventStep).has_value());
    QVERIFY(!reader.step(kEventStep + 1).has_value());
    QCOMPARE(reader.events().size(), std::size_t{1});
    QCOMPARE(reader.events().front().diagnosis->bundle, std::string("event.step-3.safetensors"));
    // The description names the copy of the model, and none of this computer's folders.
    const wire::RunConfig config = wire::parse_run(test::readBytes(out + "/event.run.json"), "event.run.json", out);
    QCOMPARE(config.model, out + "/model.pt");
    QVERIFY(config.run_file.empty() && config.checkpoint.folder.empty());
    const auto events = nlohmann::json::parse(test::readBytes(out + "/event.json"));
    QCOMPARE(events.size(), std::size_t{1});
    QVERIFY(!events[0]["sentence"].get<std::string>().empty());
  }

  void withoutTheStateTheRunIsTrainedFromItsStart() {
    const std::string folder = test::temporaryFolder().toStdString();
    const std::string out = folder + "/event";
    const EventBundle bundle = interchange::write_event_bundle(runWithEvent(folder, false), kEventStep, out);
    QVERIFY(!bundle.replayable && !holds(bundle, "event.step-3.safetensors"));
    const std::string read_me = test::readBytes(out + "/README.txt");
    QVERIFY(read_me.find("replay event.binade") == std::string::npos);
    QVERIFY(read_me.find("binade-engine train event.run.json\n") != std::string::npos);
    QVERIFY(record::RunReader(out + "/event.binade").events().front().diagnosis->bundle.empty());
  }

  void dataIsCopiedOnlyIfAskedFor() {
    const std::string folder = test::temporaryFolder().toStdString();
    fs::create_directories(folder + "/a");
    fs::create_directories(folder + "/b");
    std::ofstream(folder + "/a/x.npy") << "first";
    std::ofstream(folder + "/b/x.npy") << "second";
    const std::vector<std::string> files{folder + "/a/x.npy", folder + "/b/x.npy"};
    auto history = test::recordedHistory();
    auto& config = std::get<wire::RunStarted>(history.front()).config;
    config.data.kind = "files";
    config.data.files = files;
    config.data.folder.clear();
    const std::string run = folder + "/run.binade";
    test::recordRun(run, history);

    const EventBundle without = interchange::write_event_bundle(run, kEventStep, folder + "/without");
    for (const std::string& file : files) {
      QVERIFY(std::find(without.needed.begin(), without.needed.end(), file) != without.needed.end());
    }
    QVERIFY(!fs::exists(folder + "/without/data"));
    const EventBundle with = interchange::write_event_bundle(run, kEventStep, folder + "/with", /*data=*/true);
    QVERIFY(std::find(with.needed.begin(), with.needed.end(), files[0]) == with.needed.end());
    const auto started = record::RunReader(folder + "/with/event.binade").started();
    QCOMPARE(started->config.data.files.size(), std::size_t{2});
    QCOMPARE(test::readBytes(folder + "/with/" + started->config.data.files[0]), std::string("first"));
    QCOMPARE(test::readBytes(folder + "/with/" + started->config.data.files[1]), std::string("second"));
  }

  void ofAnIdxFolderOnlyTheFilesThatTheRunReadsAreCopied() {
    const std::string folder = test::temporaryFolder().toStdString();
    fs::create_directories(folder + "/idx");
    std::ofstream(folder + "/idx/train-images-idx3-ubyte") << "plain";
    std::ofstream(folder + "/idx/train-images-idx3-ubyte.gz") << "not read beside the plain file";
    std::ofstream(folder + "/idx/train-labels-idx1-ubyte.gz") << "packed";
    std::ofstream(folder + "/idx/private.txt") << "unrelated";
    auto history = test::recordedHistory();
    auto& config = std::get<wire::RunStarted>(history.front()).config;
    config.data = {};
    config.data.kind = "idx";
    config.data.folder = folder + "/idx";
    const std::string run = folder + "/run.binade";
    test::recordRun(run, history);

    interchange::write_event_bundle(run, kEventStep, folder + "/with", /*data=*/true);
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder + "/with/data")) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    QVERIFY((names == std::vector<std::string>{"train-images-idx3-ubyte", "train-labels-idx1-ubyte.gz"}));
    QCOMPARE(record::RunReader(folder + "/with/event.binade").started()->config.data.folder, std::string("data"));
  }

  void aStepWithoutAnEventIsRefusedAndLeavesNothing() {
    const std::string folder = test::temporaryFolder().toStdString();
    const std::string run = runWithEvent(folder, true);
    const auto error = failureOf(run, 5, folder + "/event");
    QVERIFY(error && error->code == ErrorCode::kBadFile);
    QVERIFY2(error->hint.find('3') != std::string::npos, error->hint.c_str());
    QVERIFY(!fs::exists(folder + "/event"));
    for (const auto& entry : fs::directory_iterator(folder)) {
      QVERIFY2(!entry.path().filename().string().starts_with(".event"), entry.path().c_str());
    }
  }

  void nothingThatExistsIsReplacedByABundle() {
    const std::string folder = test::temporaryFolder().toStdString();
    const std::string run = runWithEvent(folder, true);
    std::ofstream(folder + "/there") << "mine";
    const auto error = failureOf(run, kEventStep, folder + "/there");
    QVERIFY(error && error->code == ErrorCode::kUsage);
    QCOMPARE(test::readBytes(folder + "/there"), std::string("mine"));
  }
};

BINADE_SUITE(EventBundles);

}  // namespace

#include "tst_event_bundles.moc"
