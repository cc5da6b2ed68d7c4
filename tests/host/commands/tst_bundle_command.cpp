// SPDX-License-Identifier: Apache-2.0
#include "tests/host/run_engine.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QJsonArray>

using namespace binade;
using namespace Qt::StringLiterals;

namespace {

class BundleCommand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // The first steps of the demo overflow by design.
  void aBundleIsReplayedFromItsFolderAlone() {
    const QString folder = test::temporaryFolder();
    const QString run = folder + u"/run.binade"_s;
    const test::EngineResult trained =
        test::engine({u"demo"_s, u"--steps"_s, u"2"_s, u"--run-file"_s, run, u"--json"_s});
    QVERIFY2(trained.code == 0, qPrintable(trained.err));
    const QString out = folder + u"/event"_s;
    const test::EngineResult made = test::engine({u"bundle"_s, run, u"--step"_s, u"1"_s, u"--out"_s, out, u"--json"_s});
    QVERIFY2(made.code == 0, qPrintable(made.err));
    QVERIFY(made.lines().first()[u"replayable"].toBool());
    // Without the run and what lies beside it.
    const QDir all(folder);
    for (const QString& name : all.entryList({u"run*"_s}, QDir::Files)) QVERIFY(QFile::remove(all.filePath(name)));
    const test::EngineResult replayed =
        test::engine({u"replay"_s, out + u"/event.binade"_s, u"--step"_s, u"1"_s, u"--json"_s});
    QCOMPARE(replayed.code, 1);  // still not finite, as recorded
    QVERIFY2(replayed.lines().first()[u"finite"].isBool() && !replayed.lines().first()[u"finite"].toBool(),
             qPrintable(replayed.out));
    QVERIFY2(!replayed.err.contains(u"was recorded at scale"_s), qPrintable(replayed.err));

    const test::EngineResult none =
        test::engine({u"bundle"_s, out + u"/event.binade"_s, u"--step"_s, u"0"_s, u"--out"_s, folder + u"/none"_s});
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains(u"Steps with events: 1."_s), qPrintable(none.err));
  }
};

BINADE_SUITE(BundleCommand);

}  // namespace

#include "tst_bundle_command.moc"
