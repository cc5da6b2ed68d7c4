// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/sum_chains.h"
#include "tests/evidence/silent_run.h"
#include "tests/support/failing_allocator.h"

#include <algorithm>
#include <array>

using namespace binade;
using Kind = wire::SilentFault::Kind;
using test::named;
using test::Ran;
using test::trained;

/// Sums that lose what is added to them, in loops and in chains.
class LostSums : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLongSumIsNamedWithWhatItLoses();
  void whatWasAddedInFrontOfALoopIsNoPartOfIt();
  void aSumThatLeavesItsFormatIsAnOverflow();
  void aSumThatIsWrittenOutIsNamedAtItsEnd();
  void aSumInFloat32OrOfFewTermsIsNone();
  void aSumInPlaceInANarrowerFormatOfFloat32IsMeasured();
  void aSumThatIsScaledAfterEachAdditionIsMeasured();
  void theSitesOfASumHaveALimitThatIsTold();
  void whatCannotBeMeasuredIsToldWithItsReason();
};

namespace {

wire::RunConfig summing(const std::string& lines) {
  auto config = test::watched("mlp", 130);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    h = torch.sigmoid(torch.linear(x, self.weight, self.bias))\n"
                                 "    acc = torch.zeros_like(h)\n" +
                                     lines + "    return acc * 0.02\n");
  config.data.inputs = {"float32[4,8]"};
  config.data.classes = 4;
  config.scaler.init_scale = 1024;
  config.observe.every = 32;
  return config;
}

}  // namespace

void LostSums::aLongSumIsNamedWithWhatItLoses() {
  const std::string loop = "    for i in range(300):\n        acc = acc + h\n";
  const Ran ran = trained(summing(loop));
  FIRST_IS(ran, Kind::kLostSum);
  const std::string site = ran.site(0);
  QVERIFY2(site == "aten::add#0", (site + ": " + named(ran.faults)).c_str());
  QVERIFY(ran.faults[0].amount > 0.01 && ran.faults[0].amount < 0.2);
  QVERIFY(ran.faults[0].facts.in_loop);
  QCOMPARE(ran.faults[0].facts.count, std::uint64_t{300});
  auto mended = summing(loop);
  mended.policy.sites = ran.faults[0].fix.rules;
  QVERIFY(mended.policy.sites.size() == 1);
  const Ran after = trained(mended);
  QVERIFY2(after.faults.empty(), named(after.faults).c_str());
}

void LostSums::whatWasAddedInFrontOfALoopIsNoPartOfIt() {
  for (const char* lines : {"    t = h + 1.0\n    for i in range(300):\n        acc = acc + t\n",
                            "    acc = (h + 1.0) * 2.0\n    for i in range(300):\n        acc = acc + h\n",
                            "    t = h + 3.0\n    for i in range(600):\n        acc = torch.lerp(acc, t, 0.001)\n"}) {
    const Ran ran = trained(summing(lines));
    FIRST_IS(ran, Kind::kLostSum);
    const bool short_loop = std::string(lines).find("600") == std::string::npos;
    QCOMPARE(ran.faults[0].facts.count, std::uint64_t(short_loop ? 300 : 600));
    QVERIFY(ran.faults[0].facts.in_loop);
    QCOMPARE(ran.faults[0].fix.rules.size(), std::size_t{1});
    QCOMPARE(ran.faults[0].fix.rules[0].match, ran.site(0));
  }
}

void LostSums::aSumThatLeavesItsFormatIsAnOverflow() {
  const Ran ran =
      trained(summing("    n = acc\n"
                      "    for i in range(40):\n        n = n + 2000.0\n"
                      "    for i in range(40):\n        acc = acc + h\n"
                      "    acc = acc + torch.reciprocal(n)\n"));
  QVERIFY(!ran.sites.empty());  // the training ran
  for (const wire::SilentFault& fault : ran.faults) QVERIFY2(fault.kind != Kind::kLostSum, named({fault}).c_str());
}

void LostSums::aSumThatIsWrittenOutIsNamedAtItsEnd() {
  std::string lines;
  for (int i = 0; i < 300; ++i) lines += "    acc = acc + h\n";
  const Ran ran = trained(summing(lines));
  FIRST_IS(ran, Kind::kLostSum);
  QCOMPARE(ran.site(0), std::string("aten::add#299"));
  QVERIFY(ran.faults[0].amount > 0.01 && ran.faults[0].amount < 0.2);
  QCOMPARE(ran.faults[0].facts.count, std::uint64_t{300});
  QVERIFY(!ran.faults[0].facts.in_loop);
}

void LostSums::aSumInFloat32OrOfFewTermsIsNone() {
  for (const char* lines : {"    for i in range(300):\n        acc = acc + h.float()\n",
                            "    for i in range(12):\n        acc = acc + h\n"}) {
    const Ran ran = trained(summing(lines));
    QVERIFY2(ran.faults.empty(), named(ran.faults).c_str());
  }
}

/// Formats that no dtype holds lie in float32 tensors, and an addition in place rounds to them too.
void LostSums::aSumInPlaceInANarrowerFormatOfFloat32IsMeasured() {
  for (const char* loop : {"    acc = h * 0.0\n    for i in range(300):\n        acc += h\n",
                           "    acc = h * 0.0\n    for i in range(300):\n        acc = acc + h\n"}) {
    auto config = summing(loop);
    config.policy.low = *formats::parse("e8m6");
    const Ran ran = trained(config);
    FIRST_IS(ran, Kind::kLostSum);
    const wire::SilentFault& fault = ran.faults[0];
    QVERIFY(fault.format == config.policy.low);
    QVERIFY2(fault.amount > 0.03 && fault.amount < 0.9, std::to_string(fault.amount).c_str());
    QCOMPARE(fault.facts.count, std::uint64_t{300});
  }
}

void LostSums::aSumThatIsScaledAfterEachAdditionIsMeasured() {
  const Ran ran = trained(summing("    for i in range(300):\n        acc = (acc + h) * 0.999\n"));
  FIRST_IS(ran, Kind::kLostSum);
  QVERIFY(ran.faults[0].amount > 0.01 && ran.faults[0].amount < 0.3);
}

namespace {

/// One forward of a model beside `sums`; memory runs out at its own copies of the addition `fails_at`.
class Forward : public graph::SiteHook {
 public:
  Forward(observe::SumChains& sums, int fails_at) : sums_(sums), fails_at_(fails_at) {}

  void run(const std::string& lines) {
    const auto training = train::set_up(summing(lines));
    const batches::Batch batch = training->data->peek(0);
    const std::array<graph::SiteHook*, 2> hooks{this, &training->autocast};
    sums_.begin();
    const at::NoGradGuard no_history;
    training->forward.run(batch.inputs, hooks);
  }
  void before(graph::Call& call) override { sums_.before(call); }
  void after(graph::Call& call) override {
    auto& allocator = test::FailingAllocator::instance();
    if (call.site.op == "aten::add" && ++additions_ == fails_at_) allocator.fail_after(0);
    sums_.after(call);
    allocator.disarm();
  }

 private:
  observe::SumChains& sums_;
  int fails_at_;
  int additions_ = 0;
};

/// A sum that is written out, and used after each addition.
std::string additions(int count) {
  std::string lines = "    most = acc\n";
  for (int i = 0; i < count; ++i) lines += "    acc = acc + h\n    most = torch.maximum(most, acc)\n";
  return lines + "    acc = torch.maximum(most, acc)\n";
}

}  // namespace

void LostSums::theSitesOfASumHaveALimitThatIsTold() {
  for (const std::size_t most : {std::size_t{20}, std::size_t{400}}) {
    observe::SumChains sums(most);
    Forward(sums, -1).run(additions(100));
    const auto seen = sums.finish();
    // One chain, though the sites that it ends with are not those that it began with.
    QCOMPARE(seen.size(), std::size_t{1});
    QVERIFY(seen[0].additions > 30);
    QCOMPARE(seen[0].cut, most == 20);
    QCOMPARE(seen[0].sites.size(), std::min<std::size_t>(most, static_cast<std::size_t>(seen[0].additions)));
    QVERIFY(std::is_sorted(seen[0].sites.begin(), seen[0].sites.end()));
    QVERIFY(std::adjacent_find(seen[0].sites.begin(), seen[0].sites.end()) == seen[0].sites.end());
  }
}

void LostSums::whatCannotBeMeasuredIsToldWithItsReason() {
  observe::SumChains sums;
  Forward(sums, 6).run(additions(7));
  const auto unknown = sums.unknown();
  QCOMPARE(unknown.size(), std::size_t{1});
  QVERIFY2(unknown[0].why.find("can't allocate memory") != std::string::npos, unknown[0].why.c_str());
  sums.finish();
  QVERIFY(sums.unknown().empty());
}

BINADE_SUITE(LostSums);
#include "tst_lost_sums.moc"
