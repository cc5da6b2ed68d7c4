// SPDX-License-Identifier: Apache-2.0
// What sums the gradients of GPUs: the decision, and what this computer has for NCCL.
#include "engine/ranks/backend_choice.h"
#include "engine/ranks/nccl.h"
#include "tests/ranks/rank_copies.h"
#include "tests/ranks/stand_in_gpu.h"
#include "tests/support/suite.h"

#include <dlfcn.h>

#include <optional>
#include <string>
#include <vector>

using namespace binade;
using ranks::BackendChoice;
using ranks::GradientsOver;
using ranks::NcclAbility;

namespace {

constexpr int kVersion = 22809;

NcclAbility able(const std::string& gpu, int version = kVersion) {
  return {.lacks = {}, .version = version, .gpu = gpu};
}

NcclAbility unable(const std::string& lacks) {
  return {.lacks = lacks};
}

}  // namespace

Q_DECLARE_METATYPE(GradientsOver)
Q_DECLARE_METATYPE(std::vector<NcclAbility>)

class BackendChoices : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theChoiceFollowsFromWhatEachRankHas_data() {
    QTest::addColumn<GradientsOver>("wanted");
    QTest::addColumn<std::vector<NcclAbility>>("abilities");
    QTest::addColumn<bool>("nccl");
    QTest::addColumn<QString>("why");
    const std::vector<NcclAbility> all{able("a 1"), able("a 2"), able("b 1")};
    const auto with = [&all](std::size_t rank, const NcclAbility& ability) {
      std::vector<NcclAbility> changed = all;
      changed[rank] = ability;
      return changed;
    };
    const std::string cpu = "the device is the CPU";
    for (const auto wanted : {GradientsOver::kAuto, GradientsOver::kNccl}) {
      const char* const how = wanted == GradientsOver::kAuto ? "auto" : "nccl";
      const auto row = [&](const char* name, const std::vector<NcclAbility>& abilities, bool nccl, const char* why) {
        QTest::addRow("%s: %s", how, name) << wanted << abilities << nccl << QString::fromUtf8(why);
      };
      row("all have it", all, true, "");
      row("one rank", {able("a 1")}, true, "");
      row("none has it", {unable(cpu), unable(cpu)}, false, "the device is the CPU");
      row("the first has none", with(0, unable("LibTorch has loaded no NCCL")), false,
          "on rank 0 (host h0) LibTorch has loaded no NCCL");
      row("the last has none", with(2, unable("the GPU has no PCI address")), false,
          "on rank 2 (host h2) the GPU has no PCI address");
      row("none has it, for other reasons", {unable(cpu), unable("NCCL is 2.12.0, and 2.14.0 is needed")}, false,
          "on rank 0 (host h0) the device is the CPU");
      row("two share a GPU", with(2, able("a 2")), false, "rank 1 (host h1) and rank 2 (host h2) share one GPU");
      row("the same address on two computers", with(2, able("b 2")), true, "");
      row("another version", with(1, able("a 2", 22705)), false,
          "rank 1 (host h1) has NCCL 2.27.5, and rank 0 (host h0) has 2.28.9");
    }
    QTest::newRow("gloo: all have it") << GradientsOver::kGloo << all << false << QString();
    QTest::newRow("gloo: none has it") << GradientsOver::kGloo << std::vector{unable(cpu), unable(cpu)} << false
                                       << QString();
  }

  void theChoiceFollowsFromWhatEachRankHas() {
    QFETCH(GradientsOver, wanted);
    QFETCH(std::vector<NcclAbility>, abilities);
    QFETCH(bool, nccl);
    QFETCH(QString, why);
    const BackendChoice choice =
        ranks::choose_backend(wanted, abilities, {"Rank 0 (host h0)", "Rank 1 (host h1)", "Rank 2 (host h2)"});
    QCOMPARE(choice.nccl, nccl);
    QCOMPARE(QString::fromStdString(choice.why), why);
  }

  void namesOfTheOption() {
    QCOMPARE(ranks::gradients_over("auto"), GradientsOver::kAuto);
    QCOMPARE(ranks::gradients_over("gloo"), GradientsOver::kGloo);
    QCOMPARE(ranks::gradients_over("nccl"), GradientsOver::kNccl);
  }

  /// Asking what a rank has must not load the library: LibTorch's CUDA library does, from where it was installed.
  void askingLoadsNoNccl() {
    const bool before = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD) != nullptr;
    QCOMPARE(QString::fromStdString(ranks::nccl_ability(std::nullopt).lacks), QStringLiteral("the device is the CPU"));
    const NcclAbility ability = ranks::nccl_ability(0);
    QCOMPARE(::dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD) != nullptr, before);
    if (before) QSKIP("LibTorch's CUDA library has loaded NCCL here");
    QCOMPARE(QString::fromStdString(ability.lacks), QStringLiteral("LibTorch's CUDA library has loaded no NCCL"));
    QVERIFY(!ranks::loaded_nccl());
  }

  void aLoadedNcclIsFound() {
    const auto texts = test::inCopies(1, [](int, int) {
      test::standInForNccl();
      const NcclAbility ability = ranks::nccl_ability(0);
      return std::string(ranks::loaded_nccl() ? "found " : "not found ") + ranks::nccl_version_text(ability.version);
    });
    QCOMPARE(texts[0], std::string("found 2.28.9"));
  }
};

BINADE_SUITE(BackendChoices);
#include "tst_backend_choice.moc"
