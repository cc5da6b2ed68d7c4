// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/base_policy.h"
#include "engine/tuning/search_contents.h"
#include "engine/tuning/search_file.h"
#include "engine/tuning/search_json.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <sys/resource.h>

#include <QFile>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <utility>

using namespace binade;

namespace {

/// A path for a search that does not exist yet.
std::string newFolder() {
  return test::folder() + "/run.search";
}

search::StepEvidence measured() {
  search::StepEvidence step;
  step.step_seconds = 0.1;
  step.peak_bytes = 1e6;
  for (int i = 0; i < 6; ++i) {
    search::CallEvidence& call = step.calls.emplace_back();
    call.call = "fc" + std::to_string(i) + "/aten::linear#0";
    call.now = {.kind = policy::Decision::Kind::kFormat, .format = formats::kFloat32};
    call.error = 1e-6 * (i + 1);
    call.doublings_left = 10;
    call.seconds = 0.01;
    call.operations = 1e6;
    call.output_bytes = 1e4;
  }
  step.calls[0].error = std::numeric_limits<double>::infinity();
  step.calls[1].gradient_error = test::kNaN;
  step.calls[2].doublings_left.reset();
  step.calls[3].overflowed = true;
  return step;
}

tuning::SearchRequest request() {
  tuning::SearchRequest asked;
  asked.run = test::smallRun(100);
  asked.order.base = *policy::base_policy("cuda-amp");
  asked.order.goal = search::Goal::kTime;
  asked.order.budget.tries = 8;
  return asked;
}

/// Changes of `fc1` and `fc3` harm, and each change saves.
search::Proof answer(const policy::Policy& policy) {
  search::Proof proof;
  proof.cost = 1 - 0.1 * static_cast<double>(policy.sites.size());
  proof.base_cost = 1;
  proof.verdict = wire::TrialVerdict::kInsideNoise;
  for (const policy::SiteRule& rule : policy.sites) {
    if (!rule.match.starts_with("fc1") && !rule.match.starts_with("fc3")) continue;
    proof.verdict = wire::TrialVerdict::kDiverged;
    proof.gap = std::numeric_limits<double>::infinity();
    proof.reason = "The loss is not finite.";
  }
  return proof;
}

/// What decides the rest of a search and its result.
std::string text(search::Progress progress) {
  progress.seconds = 0;
  return tuning::encode(progress).dump();
}

/// The message of the Error of this kind that `act` throws; empty: none.
std::string refusal(const std::function<void()>& act, ErrorCode code) {
  try {
    act();
  } catch (const Error& error) {
    return error.code == code ? error.what() : std::string();
  }
  return {};
}

/// Stores a search with three tries.
search::Progress store(const std::string& folder) {
  tuning::SearchFile file(folder);
  const tuning::SearchRequest asked = request();
  file.resume(asked);
  tuning::SearchState state{.evidence = measured(), .estimates_time = true};
  search::Order order = asked.order;
  order.budget.tries = 3;
  state.progress = search::run(order, state.evidence, answer, {});
  file.write(state);
  return state.progress;
}

std::string stateText(const std::string& folder) {
  QFile file(QString::fromStdString(folder + "/search.json"));
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void setStateText(const std::string& folder, const std::string& text) {
  QFile file(QString::fromStdString(folder + "/search.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray::fromStdString(text));
}

}  // namespace

class SearchFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anUnrelatedFileInAnIdxFolderChangesNoContents() {
    const std::string folder = test::folder() + "/contents";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/train-labels-idx1-ubyte") << "read";
    wire::RunConfig run;
    run.data.kind = "idx";
    run.data.folder = folder;
    const tuning::Contents before = tuning::contents_of(run, {});
    QCOMPARE(before.size(), std::size_t{1});
    std::ofstream(folder + "/notes.txt") << "unrelated";
    tuning::check_contents(before, tuning::contents_of(run, {}), "run.search");
    std::ofstream(folder + "/train-labels-idx1-ubyte") << "other";
    QVERIFY_EXCEPTION_THROWN(tuning::check_contents(before, tuning::contents_of(run, {}), "run.search"), Error);
  }

  void aStateIsReadAsItWasWritten() {
    const std::string folder = newFolder();
    const search::Progress progress = store(folder);
    QVERIFY(progress.proven.size() >= 2);
    tuning::SearchFile file(folder);
    const auto state = file.resume(request());
    QVERIFY(state.has_value());
    QVERIFY(state->estimates_time);
    QCOMPARE(tuning::encode(state->evidence).dump(), tuning::encode(measured()).dump());
    QVERIFY(state->evidence.calls[0].now == measured().calls[0].now);
    QCOMPARE(tuning::encode(state->progress).dump(), tuning::encode(progress).dump());
    QVERIFY(state->progress.proven[0].policy == progress.proven[0].policy);
    QCOMPARE(state->progress.proven[0].policy.provenance.evidence, progress.proven[0].policy.provenance.evidence);
  }

  void nothingIsCreatedBeforeThereIsSomethingToStore() {
    const std::string folder = newFolder();
    tuning::SearchFile file(folder);
    QVERIFY(!file.resume(request()).has_value());
    QVERIFY(!std::filesystem::exists(folder));
  }

  void aFolderThatCannotBeCreatedIsRefusedAtOnce() {
    const std::string file = test::folder() + "/file";
    std::ofstream(file) << "text";
    for (const std::string& folder : {file + "/run.search", file + "/deep/er/run.search"}) {
      try {
        tuning::SearchFile refused(folder);
        QFAIL(folder.c_str());
      } catch (const Error& error) {
        QVERIFY(error.code == ErrorCode::kBadFile);
        QVERIFY2(std::string(error.what()).find(folder + " cannot be created") != std::string::npos, error.what());
      }
    }
    const std::string later = test::folder() + "/not/yet/run.search";
    tuning::SearchFile allowed(later);
    QVERIFY(!std::filesystem::exists(test::folder() + "/not"));
  }

  void aSearchThatEndsAfterAnyTryGoesOnAsIfItHadNot() {
    const search::Order order = request().order;
    const search::Progress whole = search::run(order, measured(), answer, {});
    QVERIFY2(whole.proven.size() >= 4, qPrintable(QString::number(whole.proven.size())));
    for (std::size_t ends = 1; ends < whole.proven.size(); ++ends) {
      const std::string folder = newFolder();
      {
        tuning::SearchFile file(folder);
        file.resume(request());
        tuning::SearchState state{.evidence = measured()};
        search::run(order, state.evidence, answer, [&](const search::Progress& progress) {
          state.progress = progress;
          file.write(state);
          return progress.proven.size() < ends;
        });
      }
      tuning::SearchFile file(folder);
      const auto state = file.resume(request());
      QVERIFY(state.has_value());
      QCOMPARE(state->progress.proven.size(), ends);
      std::size_t asked = 0;
      const auto count = [&asked](const policy::Policy& policy) {
        ++asked;
        return answer(policy);
      };
      const search::Progress rest = search::run(order, state->evidence, count, {}, state->progress);
      QCOMPARE(text(rest), text(whole));
      QCOMPARE(asked, whole.proven.size() - ends);
    }
  }

  void anotherSearchIsRefusedByTheFieldThatDiffers_data() {
    QTest::addColumn<QString>("field");
    for (const char* field : {"run.optimizer.learning_rate", "order.for", "order.seed", "order.policy.base", "steps",
                              "seeds", "order.limits.fixed"}) {
      QTest::newRow(field) << QString::fromLatin1(field);
    }
  }
  void anotherSearchIsRefusedByTheFieldThatDiffers() {
    QFETCH(const QString, field);
    tuning::SearchRequest asked = request();
    if (field.contains(QLatin1String("learning_rate"))) asked.run.optimizer.learning_rate = 0.5;
    if (field == QLatin1String("order.for")) asked.order.goal = search::Goal::kCasts;
    if (field == QLatin1String("order.seed")) asked.order.seed = 9;
    if (field.contains(QLatin1String("policy"))) asked.order.base.base = policy::Base::kCpuAmp;
    if (field == QLatin1String("steps")) asked.steps = 7;
    if (field == QLatin1String("seeds")) asked.seeds = 3;
    if (field.contains(QLatin1String("fixed"))) asked.order.limits.fixed = {"fc1"};
    const std::string folder = newFolder();
    store(folder);
    const std::string before = stateText(folder);
    const std::string message = refusal([&] { tuning::SearchFile(folder).resume(asked); }, ErrorCode::kUsage);
    QVERIFY2(message.find("belongs to another search") != std::string::npos, message.c_str());
    QVERIFY2(message.find(field.toStdString()) != std::string::npos, message.c_str());
    QCOMPARE(stateText(folder), before);
  }

  void aModelWithOtherContentsIsAnotherSearch() {
    const std::string model = test::folder() + "/model.pt";
    tuning::SearchRequest asked = request();
    asked.run.model = model;
    const auto writeModel = [&model](const char* contents) {
      QFile file(QString::fromStdString(model));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(contents);
    };
    writeModel("weights");
    const std::string folder = newFolder();
    {
      tuning::SearchFile file(folder);
      file.resume(asked);
      file.write(tuning::SearchState{.evidence = measured()});
    }
    QVERIFY(tuning::SearchFile(folder).resume(asked).has_value());
    writeModel("Weights");
    const std::string message = refusal([&] { tuning::SearchFile(folder).resume(asked); }, ErrorCode::kUsage);
    QVERIFY2(message.find(model + " has changed") != std::string::npos, message.c_str());
  }

  // The newest checkpoint of a run is another one as soon as the run goes on.
  void aNewerCheckpointIsRefusedWithTheWayBack() {
    const auto checkpoint = [](const char* name) {
      const std::string path = test::folder() + "/" + name;
      QFile file(QString::fromStdString(path));
      return file.open(QIODevice::WriteOnly) ? path : std::string();
    };
    tuning::SearchRequest asked = request();
    asked.checkpoint = checkpoint("step-00000010.safetensors");
    const std::string folder = newFolder();
    {
      tuning::SearchFile file(folder);
      file.resume(asked);
      file.write(tuning::SearchState{.evidence = measured()});
    }
    asked.checkpoint = checkpoint("step-00000020.safetensors");
    try {
      tuning::SearchFile(folder).resume(asked);
      QFAIL("was resumed");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kUsage);
      QVERIFY2(error.hint.find("--from") != std::string::npos, error.hint.c_str());
    }
  }

  // No checkpoint can be given with --from for a search that began without one.
  void aSearchFromTheStartOfTheRunSaysHowToGoOnFromThere() {
    tuning::SearchRequest asked = request();
    asked.checkpoint.clear();
    const std::string folder = newFolder();
    {
      tuning::SearchFile file(folder);
      file.resume(asked);
      file.write(tuning::SearchState{.evidence = measured()});
    }
    asked.checkpoint = test::folder() + "/step-00000030.safetensors";
    QFile file(QString::fromStdString(asked.checkpoint));
    QVERIFY(file.open(QIODevice::WriteOnly));
    try {
      tuning::SearchFile(folder).resume(asked);
      QFAIL("was resumed");
    } catch (const Error& error) {
      const std::string message = error.what();
      QVERIFY2(message.find("it began at the start of the run") != std::string::npos, message.c_str());
      QVERIFY2(error.hint.find("Name the run description (JSON), without --from") != std::string::npos,
               error.hint.c_str());
    }
  }

  void dataWithOtherContentsIsAnotherSearch() {
    const std::string data = test::folder() + "/rows.csv";
    const auto write = [&data](const char* contents) {
      QFile file(QString::fromStdString(data));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(contents);
    };
    write("a,b\n1,2\n");
    tuning::SearchRequest asked = request();
    asked.run.data = {};
    asked.run.data.kind = "files";
    asked.run.data.files = {data};
    const std::string folder = newFolder();
    {
      tuning::SearchFile file(folder);
      file.resume(asked);
      file.write(tuning::SearchState{.evidence = measured()});
    }
    write("a,b\n1,2\n");  // the same contents, written anew
    QVERIFY(tuning::SearchFile(folder).resume(asked).has_value());
    write("a,b\n1,3\n");
    const std::string message = refusal([&] { tuning::SearchFile(folder).resume(asked); }, ErrorCode::kUsage);
    QVERIFY2(message.find(data + " has changed since the search in") != std::string::npos, message.c_str());
  }

  void aLargerBudgetGoesOn() {
    const std::string folder = newFolder();
    store(folder);
    tuning::SearchRequest asked = request();
    asked.order.budget = {.tries = 100, .seconds = 1e6};
    QVERIFY(tuning::SearchFile(folder).resume(asked).has_value());
  }

  void aDamagedStateIsNamedAndKept() {
    const std::string folder = newFolder();
    store(folder);
    const std::string whole = stateText(folder);
    std::vector<std::string> damaged{"", "null", "[]", "{}", R"({"binade_search": 3})", R"({"binade_search": 2})"};
    for (std::size_t part = 1; part < 16; ++part) damaged.push_back(whole.substr(0, whole.size() * part / 16));
    for (const auto& [from, to] : {std::pair{"\"float32\"", "\"float33\""}, std::pair{"\"tries\"", "\"cries\""},
                                   std::pair{"\"diverged\"", "\"different\""}}) {
      std::string text = whole;
      const std::size_t at = text.find(from);
      if (at == std::string::npos) continue;
      damaged.push_back(text.replace(at, std::string(from).size(), to));
    }
    for (const std::string& text : damaged) {
      setStateText(folder, text);
      const std::string message = refusal([&] { tuning::SearchFile(folder).resume(request()); }, ErrorCode::kBadFile);
      QVERIFY2(message.find("search.json") != std::string::npos, (message + " for " + text.substr(0, 99)).c_str());
      QCOMPARE(stateText(folder), text);
    }
  }

  void aFolderWithOtherFilesIsRefused() {
    const std::string folder = test::folder() + "/other";
    std::filesystem::create_directory(folder);
    QVERIFY(QFile(QString::fromStdString(folder + "/notes.txt")).open(QIODevice::WriteOnly));
    const std::string message = refusal([&] { tuning::SearchFile file(folder); }, ErrorCode::kUsage);
    QVERIFY2(message.find("holds no search") != std::string::npos, message.c_str());
  }

  void onlyOneSearchRunsInAFolder() {
    const std::string folder = newFolder();
    store(folder);
    const tuning::SearchFile running(folder);
    const std::string message = refusal([&] { tuning::SearchFile file(folder); }, ErrorCode::kUsage);
    QVERIFY2(message.find("Another search is running") != std::string::npos, message.c_str());
  }

  void onlyPointsThatHoldHaveAPolicyFile() {
    const std::string folder = newFolder();
    store(folder);
    tuning::SearchFile file(folder);
    file.resume(request());
    search::Point point;
    point.policy = *policy::base_policy("cuda-amp");
    point.policy.provenance.evidence = {"It trains."};
    point.attempt = 3;
    QVERIFY(file.policy_file(point).empty());
    point.holds = true;
    QCOMPARE(file.policy_file(point), folder + "/policy-3.json");
    file.write(point);
    QFile written(QString::fromStdString(file.policy_file(point)));
    QVERIFY(written.open(QIODevice::ReadOnly));
    const policy::Policy read = policy::parse_policy(written.readAll().toStdString(), "policy-3.json");
    QVERIFY(read == point.policy);
    QCOMPARE(read.provenance.evidence, point.policy.provenance.evidence);
  }

  void aFullDiskLeavesTheOlderState() {
    const std::string folder = newFolder();
    store(folder);
    const std::string before = stateText(folder);
    tuning::SearchFile file(folder);
    auto state = file.resume(request());
    QVERIFY(state.has_value());
    state->progress.sentence = "newer";
    // No file may become longer than 16 bytes, which gives the error of a full disk.
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{.rlim_cur = 16, .rlim_max = limit.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string message = refusal([&] { file.write(*state); }, ErrorCode::kBadFile);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    std::signal(SIGXFSZ, handler);
    QVERIFY2(message.find("cannot be written") != std::string::npos, message.c_str());
    QCOMPARE(stateText(folder), before);
    file.write(*state);
    QVERIFY(stateText(folder) != before);
  }
};

BINADE_SUITE(SearchFiles);
#include "tst_search_file.moc"
