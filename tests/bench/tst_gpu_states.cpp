// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpu_states.h"
#include "tests/profiler/fake_machine.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <stdexcept>

using namespace binade;
using namespace binade::bench::gpu;

namespace binade::test {

/// Tests the output of `./dev bench gpu` for measurements that cannot be made: a state for each, never a figure.
class GpuStates : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void withoutADriverEveryMeasurementSaysSo();
  void whatIsMissingIsToldPerMeasurement_data();
  void whatIsMissingIsToldPerMeasurement();
  void aBuildWithoutTheKernelSaysHowToGetIt();
  void whatBreaksOffFailsAndTheRestGoesOn();
  void onlyWhatIsWantedIsMade();
  void whatNeedsNoCountersDoesNotLookAtThem();
};

namespace {

struct Told {
  int code = 0;
  std::vector<nlohmann::ordered_json> lines;
  std::vector<std::string> made;

  const nlohmann::ordered_json* of(const std::string& measurement) const {
    for (const auto& line : lines) {
      if (line["bench"] == "gpu." + measurement) return &line;
    }
    return nullptr;
  }
};

Told make_all(const Machine& machine, const std::vector<std::string>& wanted = {},
              const std::function<void(const Measurement&)>& run = {}) {
  Told told;
  told.code = make(
      machine, wanted,
      [&](const Measurement& each) {
        told.made.emplace_back(each.name);
        if (run) run(each);
      },
      [&](const nlohmann::ordered_json& line) { told.lines.push_back(line); });
  return told;
}

}  // namespace

void GpuStates::withoutADriverEveryMeasurementSaysSo() {
  profiler::Parts parts;
  parts.cupti.state = profiler::status(profiler::Code::kNoDriver);
  const Machine machine = look_at(parts, "no NVIDIA driver is installed");
  const Told told = make_all(machine);
  QCOMPARE(told.code, kNotMeasured);
  QVERIFY(told.made.empty());
  QCOMPARE(told.lines.size(), measurements().size());
  for (const Measurement& each : measurements()) {
    const auto* line = told.of(each.name);
    QVERIFY2(line != nullptr, each.name);
    QCOMPARE((*line)["state"].get<std::string>(), std::string("no-driver"));
    QCOMPARE((*line)["reason"].get<std::string>(), std::string("No NVIDIA driver on this computer."));
    QVERIFY(!(*line)["next"].get<std::string>().empty());
    for (const auto& [key, value] : line->items()) QVERIFY2(!value.is_number(), key.c_str());  // no figure, not even 0
    QVERIFY(!line->contains("pass"));
  }
  const auto head = probe_line(machine);
  QCOMPARE(head["state"].get<std::string>(), std::string("no-driver"));
  QVERIFY(!head.contains("chip") && !head.contains("metric"));
  QVERIFY(head["makes"].empty());
  FakeMachine fake;
  fake.nvml = FakeNvml::functions();
  QCOMPARE(probe_line(look_at(fake.parts(), ""))["makes"].size(), measurements().size());
}

void GpuStates::whatIsMissingIsToldPerMeasurement_data() {
  QTest::addColumn<QByteArray>("lacking");
  QTest::addColumn<QByteArray>("code");
  QTest::addColumn<QByteArrayList>("not_made");
  const QByteArrayList counted{"together", "order", "agree", "overhead", "intervals", "sites", "gpm", "record"};
  QTest::newRow("nothing") << QByteArray() << QByteArray() << QByteArrayList();
  QTest::newRow("permission") << QByteArray("permission") << QByteArray("no-permission") << counted;
  QTest::newRow("counters held by another tool") << QByteArray("busy") << QByteArray("busy") << counted;
  QTest::newRow("NVML") << QByteArray("nvml") << QByteArray("no-gpm") << QByteArrayList{"gpm"};
  QTest::newRow("CUPTI") << QByteArray("cupti") << QByteArray("no-cupti") << (QByteArrayList(counted) << "libtorch");
}

void GpuStates::whatIsMissingIsToldPerMeasurement() {
  QFETCH(QByteArray, lacking);
  QFETCH(QByteArray, code);
  QFETCH(QByteArrayList, not_made);
  FakeMachine fake;
  fake.nvml = FakeNvml::functions();
  if (lacking == "permission") fake.cupti.availability = 35;
  if (lacking == "busy") fake.cupti.availability = 26;
  if (lacking == "nvml") FakeNvml::hopper = false;
  profiler::Parts parts = fake.parts();
  if (lacking == "cupti") parts.cupti.state = profiler::status(profiler::Code::kNoCupti, "; looked in lib");
  const Told told = make_all(look_at(parts, ""));
  QCOMPARE(told.code, not_made.isEmpty() ? 0 : kNotMeasured);
  QCOMPARE(told.lines.size(), static_cast<std::size_t>(not_made.size()));
  QCOMPARE(told.made.size() + told.lines.size(), measurements().size());
  for (const QByteArray& each : not_made) {
    const auto* line = told.of(each.toStdString());
    QVERIFY2(line != nullptr, each.constData());
    QCOMPARE(QByteArray::fromStdString((*line)["state"].get<std::string>()), code);
  }
  QVERIFY(fake.cupti.crimes().empty());
}

void GpuStates::aBuildWithoutTheKernelSaysHowToGetIt() {
  FakeMachine fake;
  fake.nvml = FakeNvml::functions();
  Machine machine = look_at(fake.parts(), "");
  machine.no_kernel = "this program was built without NVIDIA's compiler";
  const Told told = make_all(machine);
  QCOMPARE(told.code, kNotMeasured);
  QCOMPARE(told.lines.size(), std::size_t{1});
  const auto* line = told.of("observe");
  QVERIFY(line != nullptr);
  QVERIFY((*line)["reason"].get<std::string>().find("built without NVIDIA's compiler") != std::string::npos);
  QVERIFY((*line)["next"].get<std::string>().find("./dev setup") != std::string::npos);
}

void GpuStates::whatBreaksOffFailsAndTheRestGoesOn() {
  FakeMachine fake;
  fake.nvml = FakeNvml::functions();
  const Told told = make_all(look_at(fake.parts(), ""), {}, [](const Measurement& each) {
    if (std::string(each.name) == "order") throw std::runtime_error("the device is gone");
  });
  QCOMPARE(told.code, kFailed);
  QCOMPARE(told.made.size(), measurements().size());
  const auto* line = told.of("order");
  QVERIFY(line != nullptr);
  QCOMPARE((*line)["reason"].get<std::string>(), std::string("the device is gone"));
  QCOMPARE((*line)["pass"].get<bool>(), false);
}

void GpuStates::onlyWhatIsWantedIsMade() {
  FakeMachine fake;
  fake.nvml = FakeNvml::functions();
  const Told told = make_all(look_at(fake.parts(), ""), {"intervals"});
  QCOMPARE(told.made, std::vector<std::string>{"intervals"});
  QCOMPARE(told.code, 0);
}

void GpuStates::whatNeedsNoCountersDoesNotLookAtThem() {
  QVERIFY(need_counters({}));
  QVERIFY(need_counters({"autocast", "agree"}));
  QVERIFY(!need_counters({"autocast", "observe", "libtorch"}));
  FakeMachine fake;
  const Told told = make_all(look_at(fake.parts(), "", false), {"autocast", "libtorch"});
  QCOMPARE(told.made.size(), std::size_t{2});
  QCOMPARE(fake.driver->contexts.load(), 0);
  QCOMPARE(fake.cupti.configurations(), 0);
}

BINADE_SUITE(GpuStates);

}  // namespace binade::test

#include "tst_gpu_states.moc"
