// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/judging.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <set>

using namespace binade;
using test::FaultCase;
using test::Judged;

namespace {

/// What was found of some cases, and how much of it is right.
struct Score {
  int cases = 0, site = 0, reason = 0, right = 0, false_reasons = 0;

  void add(const Judged& judged) {
    ++cases;
    site += judged.site ? 1 : 0;
    reason += judged.site && judged.reason ? 1 : 0;
    right += judged.right() ? 1 : 0;
    false_reasons += static_cast<int>(judged.false_reasons.size());
  }
  void print() const {
    qInfo("%d cases: %d right op calls, %d with the right reason, %d with a fix that holds; %d false reasons", cases,
          site, reason, right, false_reasons);
  }
};

void tell(const Judged& judged) {
  if (judged.right()) return;
  QByteArray text =
      "not right: " + QByteArray::fromStdString(judged.name) + ": " + QByteArray::fromStdString(judged.missing);
  for (const std::string& reason : judged.false_reasons) text += "; false: " + QByteArray::fromStdString(reason);
  text += "\n    told: " + QByteArray::fromStdString(judged.told).replace('\n', "\n    ");
  qInfo("%s", text.constData());
}

Score scoreOf(const std::vector<FaultCase>& cases) {
  Score score;
  for (const FaultCase& fault : cases) {
    QElapsedTimer timer;
    timer.start();
    const Judged judged = test::judged(fault);
    if (qEnvironmentVariableIsSet("BINADE_FAULT_TIMES")) {
      qInfo("%s: %lld ms, %s", fault.name.c_str(), static_cast<long long>(timer.elapsed()),
            judged.right() ? "right" : "not right");
    }
    tell(judged);
    score.add(judged);
  }
  score.print();
  return score;
}

}  // namespace

class Faults : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theCorpusIsLargeAndNamesItsThreads() {
    const auto cases = test::faultCases();
    std::set<std::string> names;
    int healthy = 0, others = 0;
    for (const FaultCase& fault : cases) {
      names.insert(fault.name);
      QVERIFY2(fault.thread.starts_with("https://"), fault.name.c_str());
      healthy += fault.reason == "none" ? 1 : 0;
      others += fault.reason == "learning_rate" || fault.reason == "data" || fault.reason == "refused" ? 1 : 0;
      QVERIFY2(fault.reason == "none" || fault.reason == "refused" || !fault.fix.empty(), fault.name.c_str());
    }
    QCOMPARE(names.size(), cases.size());
    QVERIFY(cases.size() >= 36 && healthy >= 5 && others >= 3);
    const QByteArray stated = QByteArray::number(qulonglong{cases.size()}) + " small trainings";
    for (const char* name : {"accuracy.md", "guide/overflows.md"}) {
      QFile page(QStringLiteral(BINADE_SOURCE_DIR "/docs/") + QLatin1String(name));
      QVERIFY(page.open(QIODevice::ReadOnly));
      QVERIFY2(page.readAll().contains(stated), name);
    }
  }

  /// BINADE_FAULTS=name,name runs these alone.
  void nineInTenAreToldRightlyAndNoneFalsely() {
    auto cases = test::faultCases();
    const QByteArray wanted = qgetenv("BINADE_FAULTS");
    if (!wanted.isEmpty()) {
      std::erase_if(cases, [&](const FaultCase& fault) {
        return !wanted.split(',').contains(QByteArray::fromStdString(fault.name));
      });
    }
    const Score score = scoreOf(cases);
    QCOMPARE(score.false_reasons, 0);
    QVERIFY(10 * score.right >= 9 * score.cases);
  }
};

BINADE_SUITE(Faults);
#include "tst_faults.moc"
