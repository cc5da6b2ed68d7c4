// SPDX-License-Identifier: Apache-2.0
#include "app/docks/ask_format.h"
#include "tests/support/suite.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>

namespace {

using namespace binade;

class AskFormats : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsWrongWithATypedFormat_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("problem");
    for (const char* good : {"float16", "bfloat16", "tfloat32", "float8_e4m3fn", "float8_e5m2", "float32", "e4m3",
                             "e2m1", "e8m23", " e5m2 "}) {
      QTest::newRow(good) << QString::fromLatin1(good) << QString();
    }
    const QString form = QStringLiteral("e<exponent bits, 2 to 8>m<mantissa bits, 1 to 23>");
    for (const char* other : {"", "e", "half", "e4", "m3", "4e3m", "e4m3 x", "e-4m3"}) {
      QTest::newRow(qPrintable(QStringLiteral("no format: \"%1\"").arg(QLatin1String(other))))
          << QString::fromLatin1(other) << form;
    }
    QTest::newRow("exponent too large") << QStringLiteral("e9m3") << QStringLiteral("e9m3 ");
    QTest::newRow("exponent too small") << QStringLiteral("e1m3") << QStringLiteral("e1m3 ");
    QTest::newRow("mantissa too large") << QStringLiteral("e4m24") << QStringLiteral("e4m24 ");
    QTest::newRow("mantissa too small") << QStringLiteral("e4m0") << QStringLiteral("e4m0 ");
  }
  void whatIsWrongWithATypedFormat() {
    QFETCH(QString, text);
    QFETCH(QString, problem);
    const QString said = app::formatProblem(text);
    QCOMPARE(said.isEmpty(), problem.isEmpty());
    QVERIFY2(said.contains(problem), qPrintable(said));
  }

  void theDialogTakesOnlyAFormat() {
    QStringList seen;
    QTimer::singleShot(0, [&seen] {
      auto* dialog = QApplication::activeModalWidget();
      auto* name = dialog->findChild<QLineEdit*>();
      auto* says = dialog->findChild<QLabel*>();
      auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
      for (const char* typed : {"", "e9m3", "e4m3"}) {
        name->setText(QString::fromLatin1(typed));
        seen += QStringLiteral("%1: %2")
                    .arg(QLatin1String(typed))
                    .arg(ok->isEnabled() ? QStringLiteral("taken") : QStringLiteral("refused"));
      }
      seen += says->text();
      ok->click();
    });
    QCOMPARE(app::askFormat(nullptr), QStringLiteral("e4m3"));
    QCOMPARE(seen.mid(0, 3), (QStringList{QStringLiteral(": refused"), QStringLiteral("e9m3: refused"),
                                          QStringLiteral("e4m3: taken")}));
    QVERIFY2(seen[3].startsWith(QStringLiteral("Largest 240, ")), qPrintable(seen[3]));  // 2^7 x 1.875
  }

  void givingUpGivesNothing() {
    QTimer::singleShot(0, [] {
      auto* dialog = QApplication::activeModalWidget();
      dialog->findChild<QLineEdit*>()->setText(QStringLiteral("e4m3"));
      QTest::keyClick(dialog, Qt::Key_Escape);
    });
    QCOMPARE(app::askFormat(nullptr), QString());
  }
};

}  // namespace

BINADE_SUITE(AskFormats);
#include "tst_ask_format.moc"
