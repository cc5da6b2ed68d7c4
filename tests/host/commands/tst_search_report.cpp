// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/search_report.h"
#include "tests/support/suite.h"

#include <unistd.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryFile>

#include <cstdio>
#include <limits>
#include <optional>
#include <string>

using namespace binade;

namespace {

/// What goes to standard output during its life.
class StandardOutput {
 public:
  StandardOutput() : before_(::dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    if (!file_.open()) qFatal("no temporary file");
    ::dup2(file_.handle(), STDOUT_FILENO);
  }
  ~StandardOutput() { restore(); }
  Q_DISABLE_COPY_MOVE(StandardOutput)

  QString text() {
    restore();
    file_.seek(0);
    return QString::fromUtf8(file_.readAll());
  }

 private:
  void restore() {
    if (before_ < 0) return;
    std::fflush(stdout);
    ::dup2(before_, STDOUT_FILENO);
    ::close(before_);
    before_ = -1;
  }

  QTemporaryFile file_;
  int before_;
};

/// The end of a search with one try, whose loss differs by no more than `noise` from a mean loss of `loss`.
QString endOf(double noise, double loss, bool json) {
  tuning::SearchFile file(test::temporaryFolder().toStdString());
  file.resume({});
  tuning::SearchState state;
  const host::SearchedRun run;
  host::SearchReport report(file, state, run, search::Goal::kCasts, json);
  search::Progress progress;
  progress.tries = 1;
  progress.sentence = "Nothing is left to try.";
  progress.end = search::End::kNothingLeft;
  progress.done = true;
  search::Point point;
  point.attempt = 1;
  point.proof = {.verdict = wire::TrialVerdict::kInsideNoise, .gap = 0.01, .gap_noise = noise, .base_loss = loss};
  progress.proven.push_back(point);
  StandardOutput out;
  report.update(progress);
  report.finish();
  return out.text();
}

}  // namespace

/// What `search` prints at its end.
class TestSearchReport : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void noiseAsLargeAsTheLossIsStated_data() {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    QTest::addColumn<double>("noise");
    QTest::addColumn<double>("loss");
    QTest::addColumn<bool>("stated");
    QTest::newRow("smaller") << 0.299 << 0.3 << false;
    QTest::newRow("as large") << 0.3 << 0.3 << true;
    QTest::newRow("larger") << 2.0 << 0.3 << true;
    QTest::newRow("a loss below 0") << 0.3 << -0.3 << true;
    QTest::newRow("no loss and no noise") << 0.0 << 0.0 << false;
    QTest::newRow("unknown noise") << kUnknown << 0.3 << false;
    QTest::newRow("unknown loss") << 0.3 << kUnknown << false;
  }
  void noiseAsLargeAsTheLossIsStated() {
    QFETCH(double, noise);
    QFETCH(double, loss);
    QFETCH(bool, stated);
    const QString sentence = QStringLiteral(
        "The noise is as large as the loss itself, so the verdicts say little: give more --steps or --seeds.");
    const QString text = endOf(noise, loss, /*json=*/false);
    QVERIFY2(text.contains(QLatin1String("Nothing is left to try.\n")), qPrintable(text));
    QVERIFY2(text.contains(u'\n' + sentence + u'\n') == stated, qPrintable(text));

    const QString lines = endOf(noise, loss, /*json=*/true);
    const QString last = lines.trimmed().section(u'\n', -1);
    const QJsonObject front = QJsonDocument::fromJson(last.toUtf8()).object();
    QCOMPARE(front[QStringLiteral("event")].toString(), QStringLiteral("front"));
    QVERIFY2(front[QStringLiteral("sentence")].toString().endsWith(sentence) == stated, qPrintable(last));
  }
};

BINADE_SUITE(TestSearchReport);
#include "tst_search_report.moc"
