// SPDX-License-Identifier: Apache-2.0
#include "tests/apex/gather.h"
#include "tests/apex/my_model.h"
#include "tests/apex/small_amp.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace binade;
using test::MyModel;
using test::quiet;
using test::Small;
using test::values;

namespace {

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

// What a handle does by itself, what state_dict keeps of its scalers, and what load_state_dict takes.
class TestAmpState : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void defaultsOfScaleLossAreApexs();
  void theReservedModelHasNoEffect_data();
  void theReservedModelHasNoEffect();
  void stateHasApexsLayout();
  void stateRoundTripsIncludingTheCount();
  void foreignStatesAreRefused();
};

/// loss_id 0, unscaled at the end of the block, the overflow checked there: as with the arguments written out.
void TestAmpState::defaultsOfScaleLossAreApexs() {
  const double infinity = std::numeric_limits<double>::infinity();
  Small left_out(quiet("O1", 2));
  Small written_out(quiet("O1", 2));
  for (const double gradient : {3.0, infinity}) {
    left_out.amp.scale_loss(left_out.weight.mul(gradient).sum(), left_out.optimizer)->backward();
    written_out.amp
        .scale_loss(written_out.weight.mul(gradient).sum(), written_out.optimizer,
                    {.loss_id = 0, .model = {}, .delay_unscale = false, .delay_overflow_check = false})
        ->backward();
    QVERIFY(left_out.weight.grad().equal(written_out.weight.grad()));
    QCOMPARE(left_out.optimizer.skips(), written_out.optimizer.skips());
    QCOMPARE(left_out.optimizer.skips(), gradient == infinity);
  }
  QCOMPARE(left_out.amp.loss_scaler(0).loss_scale(), written_out.amp.loss_scaler(0).loss_scale());
  QVERIFY(left_out.amp.loss_scaler(0).loss_scale() < left_out.amp.loss_scaler(1).loss_scale());  // that of loss 0
}

void TestAmpState::theReservedModelHasNoEffect_data() {
  QTest::addColumn<QString>("level");
  for (const char* level : {"O0", "O1", "O2", "O3"}) QTest::newRow(level) << QString(level);
}

/// Two steps, one of them skipped: weights, gradients and scale are the same whatever stands for the model.
void TestAmpState::theReservedModelHasNoEffect() {
  QFETCH(QString, level);
  const auto after = [&](const apex::ReservedModel& model) {
    Small run(quiet(level.toStdString().c_str()));
    std::vector<double> all;
    for (const double gradient : {3.0, std::numeric_limits<double>::infinity()}) {
      {
        const auto scaled = run.amp.scale_loss(run.weight.to(at::kFloat).mul(gradient).sum(), run.optimizer,
                                               {.loss_id = 0, .model = model});
        scaled->backward();
      }
      for (const double each : values(run.weight.grad())) all.push_back(each);
      run.optimizer.step();
      run.optimizer.zero_grad();
      for (const double each : values(run.weight)) all.push_back(each);
      all.push_back(run.amp.loss_scaler().loss_scale());
    }
    return all;
  };
  const auto equal = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
  };
  MyModel net(1);
  const std::vector<double> without = after({});
  QVERIFY(without.size() == 10 && without[0] == 3);
  QVERIFY(equal(after(net), without));
  QVERIFY(equal(after(std::vector<MyModel>{net, MyModel(2)}), without));
  QVERIFY(equal(after(nullptr), without));
}

void TestAmpState::stateHasApexsLayout() {
  Small run(quiet("O2", 2));
  run.backward(1, 1);
  const apex::Amp::State expected{{"loss_scaler0", {65536, 0}}, {"loss_scaler1", {65536, 1}}};
  QVERIFY(run.amp.state_dict() == expected);
  QVERIFY(apex::Amp({.enabled = false}).state_dict().empty());
}

void TestAmpState::stateRoundTripsIncludingTheCount() {
  Small run(quiet("O1"));
  for (int i = 0; i < 5; ++i) run.backward(1);
  Small other(quiet("O1"));
  other.amp.load_state_dict(run.amp.state_dict());
  QVERIFY(other.amp.state_dict() == run.amp.state_dict());
  // A resumed window overflows or grows exactly where the first would have.
  other.amp.load_state_dict({{"loss_scaler0", {65536, 1999}}});
  other.backward(1);
  QCOMPARE(other.amp.loss_scaler().loss_scale(), 131072.0);
}

void TestAmpState::foreignStatesAreRefused() {
  std::vector<std::string> lines;
  apex::Options options = quiet("O1");
  options.verbosity = 1;
  options.print = [&](const std::string& line) { lines.push_back(line); };
  apex::Amp amp(options);
  lines.clear();
  QVERIFY(test::errorOf([&] {
            amp.load_state_dict({{"scaler", {1, 0}}});
          }).startsWith("Error(s) in loading state_dict. Unexpected key(s) in state_dict: scaler"));
  amp.load_state_dict({{"loss_scaler7", {8, 1}}, {"loss_scaler8", {16, 2}}});
  QCOMPARE(amp.loss_scaler().loss_scale(), 8.0);  // by order, not by number
  QVERIFY(lines == (std::vector<std::string>{"Warning: state_dict contains 2 entries, while 1 loss_scalers are used",
                                             "Skipping loss_scaler[1], since num_losses was set to 1"}));
}

BINADE_SUITE(TestAmpState);
#include "tst_amp_state.moc"
