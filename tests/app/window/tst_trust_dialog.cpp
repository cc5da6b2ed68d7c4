// SPDX-License-Identifier: Apache-2.0
#include "app/window/trust_dialog.h"
#include "tests/support/suite.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

namespace binade {

class TrustDialogs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyRefusedLineIsListedAndCancelIsTheDefault();
};

void TrustDialogs::everyRefusedLineIsListedAndCancelIsTheDefault() {
  app::Problem problem{QStringLiteral("net.pt is refused")};
  problem.unsafe = {{QStringLiteral("net.py:3"), QStringLiteral("torch.save(x, \"f\")"),
                     QStringLiteral("calls aten::save, which writes files")},
                    {QString(), QString(), QStringLiteral("uses a custom C++ class")}};
  problem.sha256 = QString(64, QLatin1Char('a'));
  app::TrustDialog dialog(QStringLiteral("/models/net.pt"), problem);
  QCOMPARE(dialog.lines()->topLevelItemCount(), 2);
  const QTreeWidgetItem* first = dialog.lines()->topLevelItem(0);
  QCOMPARE(first->text(0), QStringLiteral("calls aten::save, which writes files"));
  QCOMPARE(first->text(1), QStringLiteral("net.py:3"));
  QCOMPARE(first->text(2), QStringLiteral("torch.save(x, \"f\")"));
  QVERIFY(!dialog.lines()->topLevelItem(1)->text(1).isEmpty());
  QVERIFY(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel)->isDefault());
  QVERIFY(!dialog.trustButton()->isDefault());
  const QSignalSpy accepted(&dialog, &QDialog::accepted);
  dialog.trustButton()->click();
  QCOMPARE(accepted.count(), 1);
}

BINADE_SUITE(TrustDialogs);

}  // namespace binade

#include "tst_trust_dialog.moc"
