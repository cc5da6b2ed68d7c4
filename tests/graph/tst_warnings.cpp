// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"
#include "engine/graph/warnings.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace binade;

class TestWarnings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aModelIsWarnedOfBeforeItIsTrained_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* file, const char* says) {
      QTest::newRow(file) << QString::fromLatin1(file) << QString::fromUtf8(says);
    };
    row("frozen.pt", "it is frozen");
    row("traced_train.pt", "traced in train mode");
    row("traced_eval.pt", "traced in eval mode");
    row("untrainable.pt", "No parameter is trainable");
    row("device_constant.pt", "holds the device cpu");
    row("own_autocast.pt", "its own autocast block at make_models.py:");
    row("own_blocks.pt", "(cpu, disabled) around 2 op calls");
    row("interface_list.pt", "cannot be inlined and runs as one call");
    row("scripted.pt", "");
    row("attention.pt", "");  // a dropout that always trains stands under an `if` there
    row("control.pt", "");
  }
  void aModelIsWarnedOfBeforeItIsTrained() {
    QFETCH(QString, file);
    QFETCH(QString, says);
    const graph::Model model = graph::Model::load(std::string(BINADE_TEST_DATA "/models/") + file.toStdString());
    QStringList sentences;
    for (const std::string& sentence : graph::warnings(model, graph::FlatGraph(model))) {
      sentences.append(QString::fromStdString(sentence));
    }
    const QString all = sentences.join(QLatin1Char('\n'));
    if (says.isEmpty()) {
      QCOMPARE(all, QString());
    } else {
      QVERIFY2(all.contains(says), qPrintable(all));
    }
  }
};

BINADE_SUITE(TestWarnings);
#include "tst_warnings.moc"
