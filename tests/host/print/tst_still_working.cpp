// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/still_working.h"
#include "tests/support/suite.h"

#include <fcntl.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryFile>

using namespace binade;

namespace {

/// While it lives, standard error goes into a file.
class StandardError {
 public:
  StandardError() : before_(::dup(STDERR_FILENO)) {
    file_.open();
    ::dup2(file_.handle(), STDERR_FILENO);
  }
  ~StandardError() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
  }
  StandardError(const StandardError&) = delete;
  StandardError& operator=(const StandardError&) = delete;

  QString text() const {
    QFile file(file_.fileName());
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }

 private:
  QTemporaryFile file_;
  int before_;
};

}  // namespace

// What takes long says what it is.
class TestStillWorking : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatTakesLongIsToldAndWhatDoesNotIsNot() {
    const StandardError error;
    host::StillWorking working(std::chrono::milliseconds(20));
    working.report("step", "0");
    QTRY_VERIFY(error.text().contains(QStringLiteral("step 0 has taken")));
    working.report("step", "1");
    QTRY_VERIFY(error.text().contains(QStringLiteral("step 1 has taken")));
    QVERIFY(error.text().indexOf(QStringLiteral("step 0")) < error.text().indexOf(QStringLiteral("step 1")));
  }

  // A slow machine is reported once, and not in every step.
  void aTaskAtTheUsualPaceIsNotReportedAgain() {
    const StandardError error;
    host::StillWorking working(std::chrono::milliseconds(1));
    working.report("step", "0");
    QTRY_VERIFY(error.text().contains(QStringLiteral("step 0 has taken")));
    QVERIFY(!error.text().contains(QStringLiteral("usually")));
    QTest::qWait(500);
    working.report("step", "1");
    QTest::qWait(20);  // far less than four times the step before
    working.rest();
    QVERIFY2(!error.text().contains(QStringLiteral("step 1")), qPrintable(error.text()));
    working.report("evaluation");  // another kind has a pace of its own
    QTRY_VERIFY(error.text().contains(QStringLiteral("evaluation has taken")));
    working.report("step", "2");
    QTRY_VERIFY_WITH_TIMEOUT(error.text().contains(QStringLiteral("step 2 has taken")), 60000);
    QVERIFY(error.text().section(QStringLiteral("step 2"), 1).contains(QStringLiteral("usually")));
  }

  void atRestNothingIsTold() {
    const StandardError error;
    {
      host::StillWorking working(std::chrono::milliseconds(1));
      working.rest();
      QTest::qWait(20);
    }
    {
      host::StillWorking patient(std::chrono::hours(1));
      patient.report("step", "0");
      QTest::qWait(20);
    }  // and its end does not wait for an hour
    QVERIFY2(error.text().isEmpty(), qPrintable(error.text()));
  }
};

BINADE_SUITE(TestStillWorking);
#include "tst_still_working.moc"
