// SPDX-License-Identifier: Apache-2.0
// A group whose sums of tensors on GPUs go over NCCL, with stand-ins for both: what it sums, what it says when NCCL
// fails, and that nothing waits for a rank that is gone.
#include "engine/formats/error.h"
#include "engine/ranks/group.h"
#include "tests/ranks/rank_copies.h"
#include "tests/ranks/stand_in_gpu.h"
#include "tests/support/suite.h"

#include <unistd.h>

#include <ATen/ops/full.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

using namespace binade;
using ranks::GradientsOver;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kShortWait{3000};  // a beat is late only if the process gets no CPU for a second
const c10::Device kGpu(c10::kCUDA, 0);

bool hasPart(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

at::Tensor onGpu(double value, at::ScalarType type = at::kFloat) {
  return at::full({1000}, value, at::TensorOptions(kGpu).dtype(type));
}

double summedOnGpu(ranks::Group& group, const at::Tensor& values) {
  ranks::Group::Sum sum = group.sum(values);
  group.finish(sum);
  const std::int64_t last = values.numel() - 1;
  return values.scalar_type() == at::kDouble ? values.const_data_ptr<double>()[last]
                                             : values.const_data_ptr<float>()[last];
}

/// What a rank does once the back end is chosen; `chosen` is the sentence for the log.
using GpuBody = std::function<std::string(ranks::Group& group, const std::string& chosen)>;

struct GpuSetting {
  int count = 2;
  GradientsOver wanted = GradientsOver::kAuto;
  std::string misbehaviour{};  ///< of the stand-in: `fails 1`
  int without = -1;            ///< a rank that has no NCCL
  bool share = false;          ///< ranks 0 and 1 share a GPU
  milliseconds timeout = test::kTimeout;
};

/// Ranks with stand-ins. Each gives what `body` gives, or `error: `, message, hint, and how many communicators were
/// aborted when it had the error and once it had reported that.
std::vector<std::string> withNccl(const GpuSetting& setting, const GpuBody& body) {
  return test::inCopies(setting.count, [&](int rank, int port) -> std::string {
    if (!setting.misbehaviour.empty()) ::setenv("STAND_IN_NCCL", setting.misbehaviour.c_str(), 1);
    test::standInForGpus();
    test::standInForNccl();
    ranks::Place place;
    place.rank = rank;
    place.ranks = setting.count;
    place.address = "127.0.0.1";
    place.port = port;
    const auto group = ranks::Group::join(place, setting.timeout, setting.wanted);
    ranks::NcclAbility own{.lacks = rank == setting.without ? "LibTorch has loaded no NCCL" : "", .version = 22809};
    own.gpu = "computer " + std::to_string(setting.share ? rank / 2 : rank);
    try {
      std::string text = body(*group, group->choose_backend(kGpu, own));
      group->leave();
      return text;
    } catch (const Error& error) {
      const int before = test::abortsOfNccl();
      group->fail(error.what());
      return "error: " + std::string(error.what()) + " | " + error.hint + " | aborted " + std::to_string(before) +
             ", then " + std::to_string(test::abortsOfNccl());
    }
  });
}

/// Ranks of which the last runs `last` in place of its second sum.
std::vector<std::string> withoutTheLastOfGpus(int count, const std::function<void(ranks::Group&)>& last) {
  const GpuSetting setting{.count = count, .wanted = GradientsOver::kNccl, .timeout = kShortWait};
  return withNccl(setting, [&](ranks::Group& group, const std::string&) {
    summedOnGpu(group, onGpu(1));
    if (group.rank() == count - 1) last(group);
    summedOnGpu(group, onGpu(1));
    return std::string("went on");
  });
}

}  // namespace

class SumsByNccl : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void sumsOfGpusGoOverNccl_data() {
    QTest::addColumn<int>("count");
    for (const int count : {1, 2, 4}) QTest::addRow("%d", count) << count;
  }

  /// And tensors on the CPU, and dtypes that NCCL has not, never do.
  void sumsOfGpusGoOverNccl() {
    QFETCH(int, count);
    const auto texts = withNccl({.count = count}, [](ranks::Group& group, const std::string& chosen) {
      std::ostringstream text;
      text << chosen << ' ' << test::sumsByNccl() << ' ';
      ranks::Group::Sum first = group.sum(onGpu(1));  // dropped without finish(), as after a step that failed
      const at::Tensor values = onGpu(group.rank() + 1);
      const at::Tensor doubles = onGpu(0.5, at::kDouble);
      ranks::Group::Sum one = group.sum(values);
      ranks::Group::Sum other = group.sum(doubles);
      group.finish(one);
      group.finish(other);
      text << values.const_data_ptr<float>()[999] << ' ' << doubles.const_data_ptr<double>()[0] << ' ';
      text << test::sumsByNccl() << ' ' << summedOnGpu(group, at::full({3}, 2.0)) << ' ' << test::sumsByNccl() << ' ';
      for (const auto& numbers : group.exchange({1.0 * group.rank()})) text << numbers.front();
      return text.str();
    });
    std::ostringstream wanted;
    wanted << "Gradients are summed by NCCL 2.28.9. 1 " << count * (count + 1) / 2 << ' ' << 0.5 * count << " 4 "
           << 2 * count << " 4 ";
    for (int rank = 0; rank < count; ++rank) wanted << rank;
    for (const std::string& text : texts) QCOMPARE(text, wanted.str());
  }

  void withoutNcclGlooIsChosenAndTheLogSaysWhy_data() {
    QTest::addColumn<QString>("misbehaviour");
    QTest::addColumn<int>("without");
    QTest::addColumn<bool>("share");
    QTest::addColumn<QString>("why");
    const QString host = QStringLiteral(" \\(host [^)]+\\)");
    const QString failed = QStringLiteral("on rank %1") + host + QStringLiteral(" NCCL failed: ");
    QTest::newRow("a rank without") << QString() << 1 << false
                                    << QStringLiteral("on rank 1") + host +
                                           QStringLiteral(" LibTorch has loaded no NCCL");
    QTest::newRow("a shared GPU") << QString() << -1 << true
                                  << QStringLiteral("rank 0") + host + QStringLiteral(" and rank 1") + host +
                                         QStringLiteral(" share one GPU");
    QTest::newRow("no id") << QStringLiteral("has no id 0") << -1 << false
                           << failed.arg(0) + QStringLiteral("unhandled system error");
    QTest::newRow("a rank that cannot connect")
        << QStringLiteral("fails 1") << -1 << false << failed.arg(1) + QStringLiteral("unhandled system error");
    QTest::newRow("a rank that never connects")
        << QStringLiteral("waits 1") << -1 << false
        << failed.arg(QStringLiteral("[012]")) + QStringLiteral("it has not connected the ranks within 3 s");
    QTest::newRow("data that is lost") << QStringLiteral("loses 2") << -1 << false
                                       << failed.arg(0) + QStringLiteral("it summed 3 ones to 2\\.0+");
  }

  void withoutNcclGlooIsChosenAndTheLogSaysWhy() {
    QFETCH(QString, misbehaviour);
    QFETCH(int, without);
    QFETCH(bool, share);
    QFETCH(QString, why);
    GpuSetting setting{.count = 3,
                       .misbehaviour = misbehaviour.toStdString(),
                       .without = without,
                       .share = share,
                       .timeout = misbehaviour.startsWith(QStringLiteral("waits")) ? kShortWait : test::kTimeout};
    for (const std::string& text : withNccl(setting, [](ranks::Group&group, const std::string&chosen) {
           return chosen + "|" + std::to_string(group.exchange({1.0}).size());
         })) {
      static const QString kSentence =
          QStringLiteral("^Gradients are summed by Gloo and not by NCCL, because %1\\.\\|3$");
      const QRegularExpression wanted(kSentence.arg(why));
      QVERIFY2(wanted.match(QString::fromStdString(text)).hasMatch(), text.c_str());
    }
    setting.wanted = GradientsOver::kNccl;
    static const QString kError =
        QStringLiteral("^error: Gradients cannot be summed by NCCL, because %1 \\| Give every rank");
    for (const std::string& text : withNccl(setting, [](ranks::Group&, const std::string&) { return "went on"; })) {
      QVERIFY2(QRegularExpression(kError.arg(why)).match(QString::fromStdString(text)).hasMatch(), text.c_str());
    }
  }

  void glooIsChosenOnDemand() {
    const GpuSetting setting{.count = 2, .wanted = GradientsOver::kGloo};
    for (const std::string& text : withNccl(setting, [](ranks::Group&, const std::string& chosen) { return chosen; })) {
      QCOMPARE(text, std::string("Gradients are summed by Gloo."));
    }
  }

  /// The memory of the killed rank keeps what it gave to its last sum, but no more.
  void aKilledRankIsNamed() {
    const auto texts = withoutTheLastOfGpus(3, [](ranks::Group&) { ::kill(::getpid(), SIGKILL); });
    for (std::size_t rank = 0; rank < 2; ++rank) {
      QVERIFY2(texts[rank].starts_with("error: Rank 2 (host ") && hasPart(texts[rank], "is missing"),
               texts[rank].c_str());
      QVERIFY2(!hasPart(texts[rank], "Rank 0 (") && !hasPart(texts[rank], "ank 1 ("), texts[rank].c_str());
      QVERIFY2(texts[rank].ends_with("aborted 1, then 1"), texts[rank].c_str());
    }
  }

  void aStoppedRankIsNamed() {
    const auto texts = withoutTheLastOfGpus(2, [](ranks::Group&) {
      const pid_t self = ::getpid();
      if (::fork() == 0) {
        std::this_thread::sleep_for(4 * kShortWait);
        ::kill(self, SIGKILL);
        ::_exit(0);
      }
      ::raise(SIGSTOP);
    });
    QVERIFY2(hasPart(texts[0], "Rank 1 (host ") && hasPart(texts[0], "is missing"), texts[0].c_str());
    QVERIFY2(texts[0].ends_with("aborted 1, then 1"), texts[0].c_str());
  }

  void aRankThatFailsGivesItsReason() {
    const auto texts =
        withoutTheLastOfGpus(2, [](ranks::Group&) { throw Error(ErrorCode::kBadRun, "the disk is full"); });
    QVERIFY2(hasPart(texts[0], "Rank 1 (host ") && hasPart(texts[0], "has ended the run: the disk is full"),
             texts[0].c_str());
    QVERIFY2(texts[0].ends_with("aborted 1, then 1") && texts[1].ends_with("aborted 0, then 1"), texts[1].c_str());
  }

  void longerWorkIsWaitedFor() {
    const auto texts = withoutTheLastOfGpus(2, [](ranks::Group& group) {
      const ranks::Group::Work work(&group, "evaluation");
      std::this_thread::sleep_for(3 * kShortWait);
    });
    for (const std::string& text : texts) QCOMPARE(text, std::string("went on"));
  }

  /// The rank at the other end of the connection need not notice, and learns it from the first.
  void aBrokenConnectionIsReported() {
    const GpuSetting setting{.count = 2, .misbehaviour = "breaks 1", .timeout = kShortWait};
    const auto texts = withNccl(setting, [](ranks::Group& group, const std::string&) {
      for (int i = 0; i < 3; ++i) summedOnGpu(group, onGpu(1));
      return std::string("went on");
    });
    const std::string broke = "NCCL failed, and every rank lives: remote process exited or there was a network error";
    QVERIFY2(texts[1].starts_with("error: " + broke), texts[1].c_str());
    QVERIFY2(texts[0].starts_with("error: Rank 1 (host ") && hasPart(texts[0], "has ended the run: " + broke),
             texts[0].c_str());
    for (const std::string& text : texts) QVERIFY2(text.ends_with("aborted 1, then 1"), text.c_str());
  }
};

BINADE_SUITE(SumsByNccl);
#include "tst_nccl_sums.moc"
