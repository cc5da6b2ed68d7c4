// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/interchange/export_run.h"
#include "tests/interchange/event_file.h"
#include "tests/interchange/recorded.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <map>
#include <utility>

using namespace binade;

namespace {

using Events = std::vector<nlohmann::json>;

Events traceOf(const std::vector<record::RunRecord>& history) {
  const std::string folder = test::temporaryFolder().toStdString();
  test::recordRun(folder + "/run.binade", history);
  interchange::export_run(folder + "/run.binade", interchange::RunTarget::kPerfetto, folder + "/trace.json");
  const auto trace = nlohmann::json::parse(test::readBytes(folder + "/trace.json"));
  return trace.at("traceEvents").get<Events>();
}

Events only(const Events& events, const std::string& phase, const std::string& category = {}) {
  Events found;
  for (const nlohmann::json& each : events)
    if (each.at("ph") == phase && (category.empty() || each.value("cat", "") == category)) found.push_back(each);
  return found;
}

Events counters(const Events& events, const std::string& name) {
  Events found;
  for (const nlohmann::json& each : only(events, "C"))
    if (each.at("name") == name) found.push_back(each);
  return found;
}

double endOf(const nlohmann::json& slice) {
  return slice.at("ts").get<double>() + slice.at("dur").get<double>();
}

}  // namespace

class Traces : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyEventFollowsTheFormat();
  void slicesOfATrackNest();
  void stepsHaveTheirDurations();
  void opCallsAndKernelsHaveTheirTimes();
  void countersHaveMeasuredValuesOnly();
  void overflowsAreInstants();
  void withoutAProfiledStepItSaysHowToRecordOne();
};

void Traces::everyEventFollowsTheFormat() {
  std::map<std::pair<int, int>, double> last;
  for (const nlohmann::json& event : traceOf(test::recordedHistory())) {
    const std::string phase = event.at("ph");
    QVERIFY(event.at("pid").is_number_integer());
    QVERIFY(event.at("name").is_string());
    if (phase == "M") {
      QVERIFY(event.at("args").at("name").is_string());
      continue;
    }
    QVERIFY(event.at("ts").is_number() && event.at("ts") >= 0);
    if (phase == "C") {
      for (const auto& [series, value] : event.at("args").items()) QVERIFY(value.is_number());
      continue;
    }
    QVERIFY(event.at("tid").is_number_integer());
    QVERIFY(phase == "X" || phase == "i");
    if (phase == "X") QVERIFY(event.at("dur").is_number() && event.at("dur") >= 0);
    if (phase == "i") QCOMPARE(event.at("s").get<std::string>(), std::string("p"));
    double& before = last[{event.at("pid"), event.at("tid")}];
    QVERIFY(event.at("ts").get<double>() >= before);
    before = event.at("ts");
  }
}

void Traces::slicesOfATrackNest() {
  // Sums of parts that exceed the mean step must not reach into the next slice.
  auto history = test::recordedHistory();
  for (record::RunRecord& each : history) {
    auto* profile = std::get_if<wire::Profile>(&each);
    if (profile == nullptr) continue;
    profile->step_seconds = 1e-9;
    profile->sites[0].forward = 3;
  }
  std::map<std::pair<int, int>, std::vector<nlohmann::json>> open;
  for (const nlohmann::json& slice : only(traceOf(history), "X")) {
    auto& stack = open[{slice.at("pid"), slice.at("tid")}];
    while (!stack.empty() && endOf(stack.back()) <= slice.at("ts").get<double>()) stack.pop_back();
    if (!stack.empty()) QVERIFY(endOf(slice) <= endOf(stack.back()));
    stack.push_back(slice);
  }
}

void Traces::stepsHaveTheirDurations() {
  const Events steps = only(traceOf(test::recordedHistory()), "X", "step");
  QCOMPARE(steps.size(), std::size_t{10});
  for (std::size_t i = 0; i < steps.size(); ++i) {
    QCOMPARE(steps[i].at("ts").get<double>(), 250000.0 * static_cast<double>(i));  // µs
    QCOMPARE(steps[i].at("dur").get<double>(), 250000.0);
  }
  QCOMPARE(steps[3].at("name").get<std::string>(), std::string("step 3"));
  QCOMPARE(steps[3].at("args").at("loss").get<std::string>(), std::string("NaN"));
  QCOMPARE(steps[3].at("args").at("skipped").get<bool>(), true);
  QCOMPARE(steps[6].at("name").get<std::string>(), std::string("step 4"));  // after the rewind
}

void Traces::opCallsAndKernelsHaveTheirTimes() {
  const Events trace = traceOf(test::recordedHistory());
  const Events profiles = only(trace, "X", "profile");
  QCOMPARE(profiles.size(), std::size_t{4});  // two on each of two tracks
  QCOMPARE(profiles[0].at("name").get<std::string>(), std::string("steps 1 to 3"));
  QCOMPARE(profiles[0].at("ts").get<double>(), 250000.0);
  QCOMPARE(profiles[2].at("ts").get<double>(), 2000000.0);  // step 6 is the ninth that ran
  const Events forward = only(trace, "X", "forward");
  QCOMPARE(forward.size(), std::size_t{4});
  QCOMPARE(forward[0].at("dur").get<double>(), 31250.0);
  QCOMPARE(forward[0].at("name").get<std::string>(), std::string("layer0::helper/aten::conv2d#0"));
  QCOMPARE(forward[0].at("args").at("tensor cores (%)").get<double>(), 61.5);
  QVERIFY(!forward[1].at("args").contains("tensor cores (%)"));  // not measured
  const Events backward = only(trace, "X", "backward");
  QCOMPARE(backward[0].at("dur").get<double>(), 7812.5);  // the last op call's comes first
  QVERIFY(only(trace, "X", "accumulate").empty());
  const Events kernels = only(trace, "X", "kernel");
  QCOMPARE(kernels.size(), std::size_t{4});
  QCOMPARE(kernels[0].at("name").get<std::string>(), std::string("gemm \"a\""));
  QCOMPARE(kernels[1].at("dur").get<double>(), 15625.0);
}

void Traces::countersHaveMeasuredValuesOnly() {
  const Events trace = traceOf(test::recordedHistory());
  const Events tensor = counters(trace, "Tensor cores");
  QCOMPARE(tensor.size(), std::size_t{2});  // of four slices, two were not measured
  QCOMPARE(tensor[0].at("ts").get<double>(), 250000.0);
  QCOMPARE(tensor[0].at("args").at("% of peak").get<double>(), 40.0);
  QCOMPARE(counters(trace, "Multiprocessors with work").size(), std::size_t{4});
  QVERIFY(counters(trace, "Clock").empty());
  const Events scale = counters(trace, "Loss scale");
  QCOMPARE(scale.size(), std::size_t{10});
  QCOMPARE(scale[0].at("args").at("scale").get<double>(), 65536.0);
  QCOMPARE(scale[4].at("args").at("scale").get<double>(), 32768.0);
}

void Traces::overflowsAreInstants() {
  const Events instants = only(traceOf(test::recordedHistory()), "i");
  QCOMPARE(instants.size(), std::size_t{1});
  QCOMPARE(instants[0].at("name").get<std::string>(), std::string("gradient_overflow"));
  QCOMPARE(instants[0].at("ts").get<double>(), 1000000.0);  // the end of step 3
  QVERIFY(instants[0].at("args").at("event").get<std::string>().find("fc1.weight") != std::string::npos);
}

void Traces::withoutAProfiledStepItSaysHowToRecordOne() {
  auto history = test::recordedHistory();
  std::erase_if(history, [](const record::RunRecord& each) { return std::holds_alternative<wire::Profile>(each); });
  try {
    traceOf(history);
    QFAIL("A run without a profile was exported.");
  } catch (const Error& error) {
    QVERIFY(std::string(error.what()).find("no profiled step") != std::string::npos);
    QVERIFY(error.hint.find("--profile times") != std::string::npos);
  }
}

BINADE_SUITE(Traces);
#include "tst_traces.moc"
