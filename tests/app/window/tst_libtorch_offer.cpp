// SPDX-License-Identifier: Apache-2.0
#include "app/session/session.h"
#include "app/window/libtorch_offer.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QWidget>

namespace binade {

class LibTorchOffers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anEngineWithoutLibTorchIsOfferedOne();
  void anInstallationEndsTheOffer();
};

namespace {

/// An engine without LibTorch, whose `setup` answers at once.
app::EngineCommand engineWithoutLibTorch() {
  QFile script(test::temporaryFolder() + QStringLiteral("/engine"));
  if (!script.open(QIODevice::WriteOnly)) qFatal("no script");
  script.write(
      "#!/bin/sh\ncase \"$*\" in\n*--check*)\n"
      "  echo '{\"event\":\"setup\",\"version\":\"2.11.0\",\"folder\":\"/place\",\"download\":544000000,"
      "\"unpacked\":1000000000,\"installed\":false}'\n  exit 4 ;;\n"
      "setup*) echo '{\"event\":\"installed\",\"folder\":\"/place\"}' ;;\n"
      "*) head -c 1 >/dev/null; exit 4 ;;\nesac\n");
  script.close();
  script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return {script.fileName(), {QStringLiteral("serve")}};
}

}  // namespace

void LibTorchOffers::anEngineWithoutLibTorchIsOfferedOne() {
  QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
  app::Session session(engineWithoutLibTorch(), &settings);
  QWidget window;
  const app::LibTorchOffer offer(&session, &window);
  session.startEngine();
  QTRY_VERIFY(offer.dialog() != nullptr);
  QTRY_VERIFY(offer.dialog()->text()->text().contains(QStringLiteral("544")));
  QVERIFY(offer.dialog()->text()->text().contains(QStringLiteral("/place")));
  QVERIFY(offer.dialog()->downloadButton()->isEnabled());
}

void LibTorchOffers::anInstallationEndsTheOffer() {
  QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
  app::Session session(engineWithoutLibTorch(), &settings);
  QWidget window;
  const app::LibTorchOffer offer(&session, &window);
  const QSignalSpy installed(&offer, &app::LibTorchOffer::installed);
  session.startEngine();
  QTRY_VERIFY(offer.dialog() != nullptr);
  QTRY_VERIFY(offer.dialog()->text()->text().contains(QStringLiteral("2.11.0")));
  const auto isInstalled = [&] {
    if (installed.count() > 0) return true;
    if (offer.dialog() != nullptr) offer.dialog()->downloadButton()->click();  // has no effect during the check
    return false;
  };
  QTRY_VERIFY(isInstalled());
}

BINADE_SUITE(LibTorchOffers);

}  // namespace binade

#include "tst_libtorch_offer.moc"
