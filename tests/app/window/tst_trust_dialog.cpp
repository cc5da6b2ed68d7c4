// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_client.h"
#include "app/window/trust_dialog.h"
#include "app/window/trusted_models_dialog.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

namespace binade {

class TrustDialogs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyRefusedLineIsListedAndCancelIsTheDefault();
  void trustIsListedAndTakenBack();
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

/// By the real engine, which keeps the list.
void TrustDialogs::trustIsListedAndTakenBack() {
  const QString program = QStringLiteral(BINADE_BIN_DIR "/binade-engine");
  if (!QFileInfo::exists(program)) QSKIP("binade-engine is not built");
  const QString folder = test::temporaryFolder();
  QVERIFY(QDir(folder).mkpath(QStringLiteral("binade")));
  QFile list(folder + QStringLiteral("/binade/trusted-models"));
  const QByteArray kept = QByteArray(64, 'b') + "  /models/b.pt\n";
  QVERIFY(list.open(QIODevice::WriteOnly) && list.write(QByteArray(64, 'a') + "  /models/a.pt\n" + kept) > 0);
  list.close();
  qputenv("XDG_CONFIG_HOME", folder.toUtf8());
  app::EngineClient engine(
      app::EngineCommand{program, {QStringLiteral("serve"), QStringLiteral("--confined-if-possible")}});
  engine.start();
  QTRY_COMPARE_WITH_TIMEOUT(engine.state(), app::EngineClient::State::kReady, 30'000);
  app::TrustedModelsDialog dialog(&engine);
  QTRY_COMPARE_WITH_TIMEOUT(dialog.models()->topLevelItemCount(), 2, 30'000);
  QCOMPARE(dialog.models()->topLevelItem(0)->text(0), QStringLiteral("/models/a.pt"));
  QVERIFY(!dialog.endButton()->isEnabled());
  dialog.models()->topLevelItem(0)->setSelected(true);
  dialog.endButton()->click();
  QTRY_COMPARE_WITH_TIMEOUT(dialog.models()->topLevelItemCount(), 1, 30'000);
  QVERIFY(list.open(QIODevice::ReadOnly));
  QCOMPARE(list.readAll(), kept);
  list.close();
  dialog.models()->topLevelItem(0)->setSelected(true);
  dialog.endButton()->click();
  QTRY_VERIFY_WITH_TIMEOUT(dialog.text()->text().contains(QStringLiteral("No model is trusted")), 30'000);
  qunsetenv("XDG_CONFIG_HOME");
}

BINADE_SUITE(TrustDialogs);

}  // namespace binade

#include "tst_trust_dialog.moc"
