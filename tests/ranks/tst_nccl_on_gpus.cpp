// SPDX-License-Identifier: Apache-2.0
// NCCL itself, on the GPUs of this computer.
#include "engine/formats/error.h"
#include "engine/host/process/open_cuda.h"
#include "engine/ranks/group.h"
#include "engine/ranks/nccl.h"
#include "tests/ranks/launched.h"
#include "tests/ranks/rank_copies.h"
#include "tests/support/ports.h"
#include "tests/support/suite.h"

#include <signal.h>

#include <ATen/Context.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <QJsonObject>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

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

/// NCCL refuses two ranks that share a GPU of one computer. With a name of its own each is on a computer of its own,
/// and their sums pass over the network of the computer. So one GPU shows two ranks.
QStringList sharing(int rank) {
  if (gpuCount() > 1) return {};
  return {QStringLiteral("NCCL_HOSTID=host-%1").arg(rank), QStringLiteral("NCCL_SOCKET_IFNAME=lo")};
}

/// Runs `body` in a group of so many processes whose sums go over NCCL; returns what each gave.
std::vector<std::string> byNccl(int count,
                                const std::function<std::string(ranks::Group& group, c10::Device device)>& body) {
  const int gpus = gpuCount();
  return test::inCopies(count, [&](int rank, int port) -> std::string {
    for (const QString& each : sharing(rank)) {
      const QStringList parts = each.split(QLatin1Char('='));
      ::setenv(qPrintable(parts[0]), qPrintable(parts[1]), 1);
    }
    host::open_cuda();
    ranks::Place place;
    place.rank = rank;
    place.ranks = count;
    place.address = "127.0.0.1";
    place.port = port;
    const auto group = ranks::Group::join(place, test::kTimeout, ranks::GradientsOver::kNccl);
    const int gpu = rank % gpus;
    const c10::Device device(c10::kCUDA, static_cast<c10::DeviceIndex>(gpu));
    const std::string chosen = group->choose_backend(device, ranks::nccl_ability(gpu));
    if (!chosen.starts_with("Gradients are summed by NCCL 2.")) return chosen;
    return body(*group, device);
  });
}

/// The values' bits, in hexadecimal digits.
std::string bitsOf(const at::Tensor& values) {
  const at::Tensor plain = values.cpu().contiguous();
  return QByteArray(static_cast<const char*>(plain.const_data_ptr()), static_cast<qsizetype>(plain.nbytes()))
      .toHex()
      .toStdString();
}

/// Two ranks of one run, each started by its variables.
class TwoRanks {
 public:
  TwoRanks(const QString& name, const QString& over, const QJsonObject& more = {}, const QStringList& options = {}) {
    QJsonObject fields{{QStringLiteral("device"), QStringLiteral("cuda")}};
    for (auto field = more.begin(); field != more.end(); ++field) fields.insert(field.key(), field.value());
    const QString port = QString::number(test::freePort());
    const QStringList arguments = QStringList{QStringLiteral("train"),
                                              test::ranksRun(name, fields),
                                              QStringLiteral("--gradients-over"),
                                              over,
                                              QStringLiteral("--rank-timeout"),
                                              QStringLiteral("20"),
                                              QStringLiteral("--json")} +
                                  options;
    for (const int rank : {0, 1}) {
      const QStringList variables{QStringLiteral("RANK=%1").arg(rank), QStringLiteral("WORLD_SIZE=2"),
                                  QStringLiteral("LOCAL_RANK=%1").arg(gpuCount() > 1 ? rank : 0),
                                  QStringLiteral("MASTER_ADDR=127.0.0.1"), QStringLiteral("MASTER_PORT=") + port};
      ranks_.push_back(std::make_unique<test::Launched>(arguments, variables + sharing(rank)));
    }
  }

  test::Launched& operator[](std::size_t rank) { return *ranks_[rank]; }
  bool waitForEnd() { return ranks_[0]->waitForEnd(kLongOnGpus) && ranks_[1]->waitForEnd(kLongOnGpus); }
  bool isDone() { return ranks_[0]->exitCode() == 0 && ranks_[1]->exitCode() == 0; }
  QString errors() { return ranks_[0]->errors() + ranks_[1]->errors(); }

 private:
  std::vector<std::unique_ptr<test::Launched>> ranks_;
};

QStringList unrecorded() {
  return {QStringLiteral("--run-file"), QStringLiteral("none")};
}

}  // namespace

class NcclOnGpus : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (gpuCount() == 0) QSKIP("needs a CUDA device: none is usable here");
  }

  // The sum over one rank is the value itself: this shows that the calls end and leave the values whole.
  void oneGpuSumsAndEnds() {
    const std::string text = byNccl(1, [](ranks::Group& group, c10::Device device) -> std::string {
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
    })[0];
    QCOMPARE(text, std::string("sums"));
  }

  void afterAnAbortTheGpuComputesAndNothingIsSummed() {
    const std::string text = byNccl(1, [](ranks::Group& group, c10::Device device) -> std::string {
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
    })[0];
    QCOMPARE(text, std::string("6"));
  }

  // Ranks that differ by a bit take different steps, and scalers that differ skip different ones.
  void twoRanksHaveTheSameSumsToTheBit() {
    const std::vector<std::string> texts = byNccl(2, [](ranks::Group& group, c10::Device device) -> std::string {
      std::string bits;
      for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kInt, at::kLong}) {
        const at::Tensor angles = at::arange(0.3, 4099, at::TensorOptions(device).dtype(at::kDouble));
        const at::Tensor first = angles.sin().mul(100).to(type);
        const at::Tensor second = angles.cos().mul(100).to(type);
        const at::Tensor values = (group.rank() == 0 ? first : second).clone();
        ranks::Group::Sum sum = group.sum(values);
        group.finish(sum);
        if (!values.equal(first.add(second))) return std::string("a sum of ") + c10::toString(type) + " is wrong";
        bits += bitsOf(values);
      }
      at::Tensor infinite = at::full({7}, group.rank() == 1 ? INFINITY : 1.0, at::TensorOptions(device));
      ranks::Group::Sum sum = group.sum(infinite);
      group.finish(sum);
      group.leave();
      return bits + bitsOf(infinite);
    });
    QVERIFY2(texts[0].size() > 100, texts[0].c_str());
    QVERIFY(texts[0] == texts[1]);
  }

  void aTrainingOverNcclIsThatOverGloo() {
    std::map<int, QString> losses[2];
    for (const bool nccl : {false, true}) {
      TwoRanks run(QStringLiteral("same"), nccl ? QStringLiteral("nccl") : QStringLiteral("gloo"), {}, unrecorded());
      QVERIFY2(run.waitForEnd() && run.isDone(), qPrintable(run.errors()));
      QVERIFY2(run[0].errors().contains(nccl ? QStringLiteral("summed by NCCL 2.") : QStringLiteral("summed by Gloo.")),
               qPrintable(run.errors()));
      losses[nccl] = run[0].losses();
    }
    QVERIFY(losses[0].size() > 4 && losses[0].size() == losses[1].size());
    for (const auto& [step, loss] : losses[0]) {
      const double other = losses[1].at(step).toDouble();
      QVERIFY2(std::abs(loss.toDouble() - other) <= 1e-6 * std::abs(other), qPrintable(QString::number(step)));
    }
  }

  // Float16 with a scale that begins far too high.
  void aResumedRunRepeatsTheUnbrokenOne() {
    const QString folder = test::temporaryFolder() + QStringLiteral("/nccl");
    const QJsonObject fields{
        {QStringLiteral("policy"), QStringLiteral("cuda-amp")},
        {QStringLiteral("scaler"), QJsonObject{{QStringLiteral("init_scale"), std::ldexp(1.0, 40)}}},
        {QStringLiteral("steps"), 60},
        {QStringLiteral("checkpoint"),
         QJsonObject{{QStringLiteral("folder"), folder}, {QStringLiteral("every"), 20}, {QStringLiteral("keep"), 9}}}};
    TwoRanks whole(QStringLiteral("whole"), QStringLiteral("nccl"), fields, unrecorded());
    QVERIFY2(whole.waitForEnd() && whole.isDone(), qPrintable(whole.errors()));
    QCOMPARE(whole[0].losses().size(), std::size_t{60});
    TwoRanks resumed(
        QStringLiteral("resumed"), QStringLiteral("nccl"), fields,
        unrecorded() + QStringList{QStringLiteral("--resume"), folder + QStringLiteral("/step-00000020.safetensors")});
    QVERIFY2(resumed.waitForEnd() && resumed.isDone(), qPrintable(resumed.errors()));
    QCOMPARE(resumed[0].losses().size(), std::size_t{40});
    for (const auto& [step, loss] : resumed[0].losses()) QCOMPARE(loss, whole[0].losses().at(step));
  }

  void aLostRankIsNamed_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("killed") << SIGKILL;
    QTest::newRow("stopped") << SIGSTOP;
  }
  void aLostRankIsNamed() {
    QFETCH(int, signal);
    TwoRanks run(QStringLiteral("lost"), QStringLiteral("nccl"), {},
                 unrecorded() + QStringList{QStringLiteral("--steps"), QStringLiteral("1000000")});
    QVERIFY2(run[0].waitForStep(5), qPrintable(run.errors()));
    ::kill(static_cast<pid_t>(run[1].pid()), signal);
    QVERIFY2(run[0].waitForEnd(kLongOnGpus), "the run hangs");
    QCOMPARE(run[0].exitCode(), 1);
    QVERIFY2(run[0].errors().contains(QStringLiteral("ank 1 (")), qPrintable(run.errors()));
  }
};

BINADE_SUITE(NcclOnGpus);
#include "tst_nccl_on_gpus.moc"
