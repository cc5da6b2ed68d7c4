// SPDX-License-Identifier: Apache-2.0
#include "tests/train/silent_run.h"

using namespace binade;
using Kind = wire::SilentFault::Kind;
using test::named;
using test::Ran;
using test::run;

/// Sums that lose what is added to them, in loops and in chains.
class LostSums : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLongSumIsNamedWithWhatItLoses();
  void aSumThatIsWrittenOutIsNamedAtItsEnd();
  void aSumInFloat32OrOfFewTermsIsNone();
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
  const Ran ran = run(summing(loop));
  FIRST_IS(ran, Kind::kLostSum);
  const std::string site = ran.site(0);
  QVERIFY2(site == "aten::add#0", (site + ": " + named(ran.faults)).c_str());
  QVERIFY(ran.faults[0].amount > 0.01 && ran.faults[0].amount < 0.2);
  QVERIFY2(ran.faults[0].sentence.find("300 additions one behind the other in a loop") != std::string::npos,
           ran.faults[0].sentence.c_str());
  auto mended = summing(loop);
  mended.policy.sites = ran.faults[0].fix.rules;
  QVERIFY(mended.policy.sites.size() == 1);
  const Ran after = run(mended);
  QVERIFY2(after.faults.empty(), named(after.faults).c_str());
}

void LostSums::aSumThatIsWrittenOutIsNamedAtItsEnd() {
  std::string lines;
  for (int i = 0; i < 300; ++i) lines += "    acc = acc + h\n";
  const Ran ran = run(summing(lines));
  FIRST_IS(ran, Kind::kLostSum);
  QCOMPARE(ran.site(0), std::string("aten::add#299"));
  QVERIFY(ran.faults[0].amount > 0.01 && ran.faults[0].amount < 0.2);
  const std::string& sentence = ran.faults[0].sentence;
  QVERIFY2(sentence.find("300 additions one behind the other, is") != std::string::npos, sentence.c_str());
}

void LostSums::aSumInFloat32OrOfFewTermsIsNone() {
  for (const char* lines : {"    for i in range(300):\n        acc = acc + h.float()\n",
                            "    for i in range(12):\n        acc = acc + h\n"}) {
    const Ran ran = run(summing(lines));
    QVERIFY2(ran.faults.empty(), named(ran.faults).c_str());
  }
}

BINADE_SUITE(LostSums);
#include "tst_lost_sums.moc"
