// SPDX-License-Identifier: Apache-2.0
// NCCL itself, on the GPUs of this computer.
#include "engine/formats/error.h"
#include "engine/host/process/open_cuda.h"
#include "engine/ranks/group.h"
#include "engine/ranks/nccl.h"
#include "tests/ranks/launched.h"
#include "tests/ranks/rank_copies.h"
#include "tests/support/suite.h"

#include <signal.h>

#include <ATen/Context.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

using namespace binade;

namespace {

constexpr int kLongOnGpus = 180'000;  // milliseconds

/// GPUs that LibTorch sees. A copy asks, since CUDA does not survive a copy of a process that uses it.
int gpuCount() {
  static const int count = std::stoi(test::inCopies(1, [](int, int) {
    host::open_cuda();
    return std::to_string(at::getNumGPUs());
  })[0]);
  return count;
}

/// A group of this process alone, on the first GPU, whose sums go over NCCL.
std::string aloneByNccl(const std::function<std::string(ranks::Group& group, c10::Device device)>& body) {
  return test::inCopies(1, [&](int, int port) -> std::string {
    host::open_cuda();
    ranks::Place place;
    place.address = "127.0.0.1";
    place.port = port;
    const auto group = ranks::Group::join(place, test::kTimeout, ranks::GradientsOver::kNccl);
    const c10::Device device(c10::kCUDA, 0);
    const std::string chosen = group->choose_backend(device, ranks::nccl_ability(0));
    if (!chosen.starts_with("Gradients are summed by NCCL 2.")) return chosen;
    return body(*group, device);
  })[0];
}

QStringList onTwoGpus(const QString& name, const QString& over) {
  return {QStringLiteral("launch"),
          test::ranksRun(name, {{QStringLiteral("device"), QStringLiteral("cuda")}}),
          QStringLiteral("--ranks"),
          QStringLiteral("2"),
          QStringLiteral("--gradients-over"),
          over,
          QStringLiteral("--rank-timeout"),
          QStringLiteral("20"),
          QStringLiteral("--run-file"),
          QStringLiteral("none"),
          QStringLiteral("--json")};
}

}  // namespace

class NcclOnGpus : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // The sum over one rank is the value itself: this shows that the calls end and leave the values whole.
  void oneGpuSumsAndEnds() {
    if (gpuCount() == 0) QSKIP("needs a CUDA device: none is usable here");
    const std::string text = aloneByNccl([](ranks::Group& group, c10::Device device) -> std::string {
      for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16}) {
        const at::Tensor wanted = at::arange(1000, at::TensorOptions(device).dtype(type));
        const at::Tensor values = wanted.clone();
        ranks::Group::Sum one = group.sum(values);
        const at::Tensor other = at::full({1 << 20}, 0.5, at::TensorOptions(device).dtype(type));
        ranks::Group::Sum two = group.sum(other);
        group.finish(one);
        group.finish(two);
        if (!values.equal(wanted) || !other.eq(0.5).all().item<bool>()) return "a sum is wrong";
      }
      group.leave();
      return "sums";
    });
    QCOMPARE(text, std::string("sums"));
  }

  void afterAnAbortTheGpuComputesAndNothingIsSummed() {
    if (gpuCount() == 0) QSKIP("needs a CUDA device: none is usable here");
    const std::string text = aloneByNccl([](ranks::Group& group, c10::Device device) -> std::string {
      const at::Tensor values = at::full({1 << 20}, 1.0, at::TensorOptions(device));
      ranks::Group::Sum begun = group.sum(values);
      group.fail("a test");
      try {
        ranks::Group::Sum later = group.sum(values);
        group.finish(later);
        return "it summed";
      } catch (const Error&) {
        return std::to_string(at::full({3}, 2.0, at::TensorOptions(device)).sum().item<int>());
      }
    });
    QCOMPARE(text, std::string("6"));
  }

  void aTrainingOverNcclIsThatOverGloo() {
    if (gpuCount() < 2) QSKIP(qPrintable(QStringLiteral("needs two GPUs: LibTorch sees %1").arg(gpuCount())));
    std::map<int, QString> losses[2];
    for (const bool nccl : {false, true}) {
      test::Launched run(onTwoGpus(QStringLiteral("same"), nccl ? QStringLiteral("nccl") : QStringLiteral("gloo")));
      QVERIFY2(run.waitForEnd(kLongOnGpus) && run.exitCode() == 0, qPrintable(run.errors()));
      QVERIFY2(run.errors().contains(nccl ? QStringLiteral("summed by NCCL 2.") : QStringLiteral("summed by Gloo.")),
               qPrintable(run.errors()));
      losses[nccl] = run.losses();
    }
    QVERIFY(losses[0].size() > 4 && losses[0].size() == losses[1].size());
    for (const auto& [step, loss] : losses[0]) {
      const double other = losses[1].at(step).toDouble();
      QVERIFY2(std::abs(loss.toDouble() - other) <= 1e-6 * std::abs(other), qPrintable(QString::number(step)));
    }
  }

  void aKilledRankIsNamed() {
    if (gpuCount() < 2) QSKIP(qPrintable(QStringLiteral("needs two GPUs: LibTorch sees %1").arg(gpuCount())));
    QStringList arguments = onTwoGpus(QStringLiteral("killed"), QStringLiteral("nccl"));
    arguments << QStringLiteral("--steps") << QStringLiteral("1000000");
    test::Launched run(arguments);
    QVERIFY2(run.waitForStep(5), qPrintable(run.errors()));
    ::kill(static_cast<pid_t>(run.rank(1)), SIGKILL);
    QVERIFY2(run.waitForEnd(kLongOnGpus), "the run hangs");
    QCOMPARE(run.exitCode(), 1);
    // The launcher may see the end of the process before the other rank misses it.
    QVERIFY2(run.errors().contains(QStringLiteral("Rank 1 (")), qPrintable(run.errors()));
  }
};

BINADE_SUITE(NcclOnGpus);
#include "tst_nccl_on_gpus.moc"
