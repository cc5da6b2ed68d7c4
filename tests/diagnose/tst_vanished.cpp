// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/run/run_loop.h"
#include "engine/run/step.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "tests/run/listening.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

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

/// The sum of its squares overflows in rows that are large, and what is multiplied by the root's inverse is 0 there.
constexpr const char* kRms =
    "    h = torch.linear(x, self.weight, self.bias) * 120.0\n"
    "    return h * torch.rsqrt((h * h).mean([-1], keepdim=True) + 1e-6) * 4.0\n";

const wire::SilentFault* vanishedFault(const test::Listening& heard) {
  if (heard.silent.empty()) return nullptr;
  for (const wire::SilentFault& fault : heard.silent.back().faults) {
    if (fault.kind == wire::SilentFault::Kind::kVanishedOverflow) return &fault;
  }
  return nullptr;
}

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
    QCOMPARE(heard.steps.size(), std::size_t{20});
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
    QVERIFY2(QString::fromStdString(heard.said(events[0])).startsWith(QStringLiteral("The output of mul#1 overflowed")),
             heard.said(events[0]).c_str());
    QVERIFY2(
        QString::fromStdString(words::explanation_of(found, {})).contains(QStringLiteral("vanishes in aten::div#0")),
        words::explanation_of(found, {}).c_str());
    // The fix holds.
    wire::RunConfig mended = config;
    mended.policy.sites = found.fix.rules;
    test::Listening after;
    test::runToEnd(mended, after);
    QVERIFY(overflows(after).empty());
  }

  void lastingItIsASilentFault_data() {
    QTest::addColumn<QByteArray>("level");
    QTest::addColumn<int>("every");
    QTest::newRow("every step") << QByteArray("histogram") << 1;
    QTest::newRow("one step in 32, as by default") << QByteArray("histogram") << 32;
    QTest::newRow("what is finite") << QByteArray("finite") << 8;
  }
  void lastingItIsASilentFault() {
    QFETCH(QByteArray, level);
    QFETCH(int, every);
    wire::RunConfig config = test::lineRun(kRms, 100);
    config.optimizer.learning_rate = 1e-6;
    config.observe = {};
    config.observe.level = level.toStdString();
    config.observe.every = every;
    test::Listening heard;
    test::runToEnd(config, heard);
    const wire::SilentFault* fault = vanishedFault(heard);
    QVERIFY(fault != nullptr);
    const auto& sites = heard.started.front().model.sites;
    QCOMPARE(sites.at(static_cast<std::size_t>(fault->site)).key.name(), std::string("aten::mul#1"));
    QVERIFY(&heard.silent.back().faults.front() == fault);
    QVERIFY(fault->seen > 0 && fault->seen <= fault->observed_steps);
    QVERIFY(fault->observed_steps <= 100 / every + 1);
    QVERIFY2(fault->amount > 0 && fault->amount <= 1, std::to_string(fault->amount).c_str());
    QVERIFY(fault->largest && *fault->largest > 65520);
    QCOMPARE(fault->fix.rules.at(0).match, std::string("aten::mul#1"));
    // The fix holds: nothing is left.
    config.policy.sites = fault->fix.rules;
    test::Listening mended;
    test::runToEnd(config, mended);
    QVERIFY(vanishedFault(mended) == nullptr);
  }

  void whatIsComputedFromItDecides_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("harms");
    const auto row = [](const char* name, const char* lines, bool harms) {
      const QByteArray before = "    y = torch.linear(x, self.weight, self.bias)\n    h = y * 400.0\n    s = h * h\n";
      QTest::newRow(name) << before + lines << harms;
    };
    row("divided by", "    return y + h / (s + 1.0) * 50.0\n", true);
    row("its root divided by", "    return y * torch.rsqrt(s + 1.0) * 400.0\n", true);
    row("minus it in an exponential", "    return y + torch.exp(s * -0.00001)\n", true);
    row("replaced", "    return torch.where(torch.isfinite(s), y, torch.zeros_like(y))\n", true);
    row("made the largest number", "    return y + torch.nan_to_num(s) * 0.00001\n", true);
    row("tanh", "    return y + torch.tanh(s * 0.01)\n", false);
    row("sigmoid", "    return y + torch.sigmoid(s)\n", false);
    row("clamp", "    return y + torch.clamp(s, max=10.0)\n", false);
    row("minimum", "    return y + torch.minimum(s, torch.ones_like(s))\n", false);
    row("below 0 in an exponential", "    return y + torch.exp(s * -1.0)\n", false);
    row("below 0 in a relu", "    return y + torch.relu(s * -1.0)\n", false);
    row("below 0 in a softmax", "    return y + torch.softmax(torch.relu(y - 0.5) * -100000000.0, 1)\n", false);
    row("masked", "    return torch.where(s < 100.0, s, y)\n", false);
    row("not used", "    z = s + 1.0\n    return y\n", false);
  }
  void whatIsComputedFromItDecides() {
    QFETCH(QByteArray, body);
    QFETCH(bool, harms);
    test::Listening heard;
    wire::RunConfig config = test::lineRun(body.toStdString(), 6);
    config.optimizer.learning_rate = 1e-6;
    config.scaler.init_scale = 1;  // where h is near 0, the slope of a quotient or a square by it is steep
    test::runToEnd(config, heard);
    QCOMPARE(heard.steps.size(), std::size_t{6});
    for (const wire::StepRecord& step : heard.steps) QVERIFY(step.stepped);
    const auto events = overflows(heard);
    const wire::SilentFault* fault = vanishedFault(heard);
    QVERIFY2(harms != events.empty(), events.empty() ? "no event" : heard.said(events.front()).c_str());
    QVERIFY2(harms == (fault != nullptr), fault == nullptr ? "no fault" : "a fault");
  }

  void whatHardlyMovesTheLossIsHarmlessSoFar_data() {
    QTest::addColumn<QByteArray>("noise");
    QTest::newRow("no random numbers") << QByteArray();
    // Without the overflow it would be drawn in float32, which gives other numbers.
    QTest::newRow("noise of the op's format") << QByteArray(" + torch.randn_like(s)");
  }
  void whatHardlyMovesTheLossIsHarmlessSoFar() {
    QFETCH(const QByteArray, noise);
    const wire::RunConfig config = test::lineRun(
        "    y = torch.linear(x, self.weight, self.bias)\n    h = y * 400.0\n    s = h * h\n"
        "    return y + h / (s + 1.0) * 0.05" +
            noise.toStdString() + "\n",
        6);
    test::Listening heard;
    test::runToEnd(config, heard);
    const auto events = overflows(heard);
    QCOMPARE(events.size(), std::size_t{1});
    QVERIFY(events[0].diagnosis.has_value());
    const std::string told = words::explanation_of(*events[0].diagnosis, {});
    QVERIFY2(told.find("So far that is harmless: the loss is off by") != std::string::npos, told.c_str());
    const wire::SilentFault* fault = vanishedFault(heard);
    QVERIFY(fault != nullptr);
    QVERIFY(fault->facts.harmless);
  }

  void anOverflowThatIsOverIsNoFaultAnyMore() {
    // The weights grow smaller with every step, and what is multiplied with it.
    wire::RunConfig config = test::lineRun(kRms, 60);
    config.optimizer.kind = "sgd";
    config.optimizer.learning_rate = 1;
    config.optimizer.weight_decay = 0.2;
    test::Listening heard;
    test::runToEnd(config, heard);
    QVERIFY(!overflows(heard).empty());
    const wire::SilentFault* fault = vanishedFault(heard);
    if (fault != nullptr) QVERIFY(fault->seen * 50 >= fault->observed_steps);
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
    QVERIFY2(events.empty(), events.empty() ? "" : heard.said(events.front()).c_str());
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
      run::Stepper stepper(*training, replays);
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
    QVERIFY2(
        QString::fromStdString(heard.said(events.front())).startsWith(QStringLiteral("div#0 has no finite result")),
        heard.said(events.front()).c_str());
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
    run::Control control;
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
    QVERIFY2(QString::fromStdString(heard.said(held[0])).contains(QStringLiteral("has held for 200 steps")),
             heard.said(held[0]).c_str());
  }

  // Batches fail at one op call or at another: the run has one fix, which every step that was explained agrees with.
  void growsWithTheStepsThatNeedMore() {
    wire::RunConfig config = test::lineRun(
        "    self.mean.add_(1.0)\n"
        "    if int(self.mean[0]) % 2 == 1:\n"
        "        return torch.linear(x, self.weight, self.bias) * 100000.0 * 0.00001\n"
        "    return torch.relu(torch.linear(x, self.weight, self.bias)) * 200000.0 * 0.000005\n",
        40);
    config.observe = {.level = "off"};
    run::Control nobody(/*attended=*/false);
    test::Listening heard;
    const auto done = test::runToEnd(config, heard, nobody);
    std::vector<std::string> rules;
    std::string all = done.finished.message;
    for (const wire::Event& event : heard.events) {
      all += "\n" + heard.said(event);
      if (!event.diagnosis || !event.diagnosis->fix.known()) continue;
      std::vector<std::string> now;
      for (const policy::SiteRule& rule : event.diagnosis->fix.rules) now.push_back(rule.match);
      for (const std::string& before : rules) {
        QVERIFY2(std::find(now.begin(), now.end(), before) != now.end(), heard.said(event).c_str());
      }
      rules = std::move(now);
    }
    QVERIFY2(rules.size() > 1, all.c_str());
    QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);
    QVERIFY2(done.finished.hint.find("aten::mul#0, aten::mul#2 in float32") != std::string::npos,
             done.finished.hint.c_str());
  }

  void endsWithWhatToChangeInTheModel() {
    wire::RunConfig config = test::lineRun(
        "    return torch.log(torch.softmax(torch.linear(x, self.weight, self.bias) * 50.0, 1).half() + 1e-9)\n", 40);
    run::Control nobody(/*attended=*/false);
    test::Listening heard;
    const auto done = test::runToEnd(config, heard, nobody);
    QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);
    QVERIFY2(done.finished.hint.find("log_softmax") != std::string::npos, done.finished.hint.c_str());
  }

  void isCountedAnewFromWhereARewindGoes() {
    wire::RunConfig config =
        test::lineRun("    return torch.linear(x, self.weight, self.bias) * 100000.0 * 0.00001\n", 260);
    config.observe = {.level = "off"};
    config.checkpoint = {test::folder(), 50, 5};
    run::Control control;
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
      control.request({run::Control::FileRequest::Kind::kLoadCheckpoint, fiftieth->file, {}, {}});
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
