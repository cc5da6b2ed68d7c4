// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint_folder.h"
#include "engine/train/run_loop.h"
#include "engine/train/step.h"
#include "tests/support/suite.h"
#include "tests/train/listening.h"
#include "tests/train/small_run.h"

#include <algorithm>

using namespace binade;

namespace {

/// A layer norm written by hand, over values whose squares float16 does not hold: all of them are divided by an
/// infinity.
constexpr const char* kNorm =
    "    y = torch.linear(x, self.weight, self.bias) * 3000.0\n"
    "    c = y - y.mean([1], keepdim=True)\n"
    "    v = (c * c).mean([1], keepdim=True)\n"
    "    return c / torch.sqrt(v + 1.0) * self.weight[:, 0]\n";

std::vector<wire::Event> overflows(const test::Listening& heard) {
  std::vector<wire::Event> all;
  for (const wire::Event& event : heard.events) {
    if (event.kind == wire::Event::Kind::kForwardOverflow) all.push_back(event);
  }
  return all;
}

}  // namespace

/// An infinity that is divided by leaves a finite loss, and nothing of what it came from.
class Vanished : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void itsFirstCauseIsNamedOnceWithAFix() {
    const wire::RunConfig config = test::lineRun(kNorm, 20);
    test::Listening heard;
    test::runToEnd(config, heard);
    for (const wire::StepRecord& step : heard.steps) QVERIFY(step.stepped);
    const auto events = overflows(heard);
    QCOMPARE(events.size(), std::size_t{1});
    QCOMPARE(events[0].step, std::int64_t{0});
    QVERIFY(events[0].diagnosis.has_value());
    const wire::Diagnosis& found = *events[0].diagnosis;
    QVERIFY(found.verdict == wire::Verdict::kForwardOverflow);
    QCOMPARE(found.roots.size(), std::size_t{1});
    const auto& sites = heard.started.front().model.sites;
    const auto name = [&](int site) { return sites.at(static_cast<std::size_t>(site)).key.name(); };
    QCOMPARE(name(found.roots[0].site), std::string("aten::mul#1"));
    QCOMPARE(name(found.chain.back().site), std::string("aten::div#0"));
    QCOMPARE(found.fix.rules.at(0).match, std::string("aten::mul#1"));
    QVERIFY(found.evidence.back().finite);
    QVERIFY2(QString::fromStdString(events[0].sentence).startsWith(QStringLiteral("The output of mul#1 overflowed")),
             events[0].sentence.c_str());
    QVERIFY2(QString::fromStdString(found.explanation).contains(QStringLiteral("vanishes in aten::div#0")),
             found.explanation.c_str());
    // The fix holds.
    wire::RunConfig mended = config;
    mended.policy.sites = found.fix.rules;
    test::Listening after;
    test::runToEnd(mended, after);
    QVERIFY(overflows(after).empty());
  }

  void whatIsAskedForIsNone() {
    test::Listening heard;
    test::runToEnd(
        test::lineRun("    y = torch.linear(x, self.weight, self.bias)\n"
                      "    best = torch.full_like(y, float('inf'))\n"
                      "    return torch.minimum(best, y) + torch.softmax((y > 0.0).to(y.dtype) * -100000.0, 1)\n",
                      6),
        heard);
    const auto events = overflows(heard);
    QVERIFY2(events.empty(), events.empty() ? "" : events.front().sentence.c_str());
  }

  void lookingForItChangesNoBit_data() {
    QTest::addColumn<int>("base");
    QTest::newRow("cuda-amp") << static_cast<int>(policy::Base::kCudaAmp);
    QTest::newRow("master weights") << static_cast<int>(policy::Base::kApexO2);
  }
  void lookingForItChangesNoBit() {
    QFETCH(int, base);
    const auto train = [base](bool replays) {
      wire::RunConfig config = test::lineRun(kNorm, 12);
      config.policy.base = static_cast<policy::Base>(base);
      const auto training = train::set_up(config);
      train::Stepper stepper(*training, replays);
      bool found = false;
      for (std::int64_t step = 0; step < 12; ++step) found = stepper.run(step).vanished.has_value() || found;
      test::Tensors all;
      for (const auto& [name, tensor] : training->model.parameters()) all.emplace_back(name, tensor.detach().clone());
      return std::pair(all, found);
    };
    const auto with = train(true);
    const auto without = train(false);
    QVERIFY(with.second && !without.second);
    QCOMPARE(test::firstDifference(with.first, without.first), std::string());
  }

  void aNanThatIsLeftOutIsNamed() {
    test::Listening heard;
    test::runToEnd(test::lineRun("    y = torch.linear(x, self.weight, self.bias)\n"
                                 "    z = (y * 0.0).detach()\n"
                                 "    n = z / z\n"
                                 "    return torch.where(torch.isnan(n), y, n)\n",
                                 3),
                   heard);
    const auto events = overflows(heard);
    QVERIFY(!events.empty() && events.front().diagnosis);
    QVERIFY(events.front().diagnosis->verdict == wire::Verdict::kInvalidOperation);
    QVERIFY2(QString::fromStdString(events.front().sentence).startsWith(QStringLiteral("div#0 has no finite result")),
             events.front().sentence.c_str());
  }
};

/// A fix that a person takes over, followed through a run.
class FixInARun : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void isSaidToHoldTwoHundredStepsLater() {
    wire::RunConfig config =
        test::lineRun("    return torch.linear(x, self.weight, self.bias) * 100000.0 * 0.00001\n", 240);
    config.observe = {.level = "off"};
    train::Control control;
    test::Listening heard;
    heard.at_step = [&](const wire::StepRecord& record) {
      if (record.step != 3) return;
      for (const wire::Event& event : heard.events) {
        if (!event.diagnosis || event.diagnosis->fix.rules.empty()) continue;
        wire::PolicySet edit{1, config.policy};
        edit.policy.sites = event.diagnosis->fix.rules;
        control.set_policy(edit);
        return;
      }
    };
    test::runToEnd(config, heard, control);
    QVERIFY(heard.events.front().diagnosis);
    QCOMPARE(heard.policies.size(), std::size_t{1});
    std::vector<wire::Event> held;
    for (const wire::Event& event : heard.events) {
      if (event.kind == wire::Event::Kind::kFixHeld) held.push_back(event);
    }
    QCOMPARE(held.size(), std::size_t{1});
    QCOMPARE(held[0].step, std::int64_t{4 + 200 - 1});
    QVERIFY2(QString::fromStdString(held[0].sentence).contains(QStringLiteral("has held for 200 steps")),
             held[0].sentence.c_str());
  }

  void isCountedAnewFromWhereARewindGoes() {
    wire::RunConfig config =
        test::lineRun("    return torch.linear(x, self.weight, self.bias) * 100000.0 * 0.00001\n", 260);
    config.observe = {.level = "off"};
    config.checkpoint = {test::folder(), 50, 5};
    train::Control control;
    test::Listening heard;
    heard.at_step = [&](const wire::StepRecord& record) {
      if (record.step == 3) {
        wire::PolicySet edit{1, config.policy};
        edit.policy.sites = heard.events.front().diagnosis->fix.rules;
        control.set_policy(edit);
      }
      if (record.step != 150 || !heard.rewinds.empty()) return;
      const auto fiftieth = std::find_if(heard.checkpoints.begin(), heard.checkpoints.end(),
                                         [](const auto& each) { return each.step == 50; });
      control.request({train::Control::FileRequest::Kind::kLoadCheckpoint, fiftieth->file, {}, {}});
    };
    test::runToEnd(config, heard, control);
    QCOMPARE(heard.rewinds.size(), std::size_t{1});
    std::vector<std::int64_t> held;
    for (const wire::Event& event : heard.events) {
      if (event.kind == wire::Event::Kind::kFixHeld) held.push_back(event.step);
    }
    QVERIFY(held == std::vector<std::int64_t>{50 + 200 - 1});
  }
};

BINADE_SUITE(Vanished);
BINADE_SUITE(FixInARun);
#include "tst_vanished.moc"
