// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/graph/samples.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <torch/csrc/jit/api/module.h>

using namespace binade;

class TestFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsNoModelIsNamedForWhatItIs_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* file, ErrorCode code, const char* says) {
      QTest::newRow(file) << QStringLiteral(BINADE_TEST_DATA "/models/") + QLatin1String(file) << static_cast<int>(code)
                          << QString::fromUtf8(says);
    };
    row("missing.pt", ErrorCode::kBadFile, "does not exist");
    row("../models", ErrorCode::kBadFile, "is a folder");
    row("state_dict.pth", ErrorCode::kBadFile, "a state dict or a checkpoint");
    row("whole_model.pth", ErrorCode::kBadFile, "a pickled Python model");
    row("legacy_pickle.pth", ErrorCode::kBadFile, "a Python pickle");
    row("truncated.pt", ErrorCode::kBadFile, "damaged or truncated");
    row("../arrays/plain.npz", ErrorCode::kBadFile, "it holds NumPy's arrays");
    row("make_models.py", ErrorCode::kBadFile, "not an archive");
    row("set_state.pt", ErrorCode::kUnsafe, "__setstate__");
    row("unknown_op.pt", ErrorCode::kBadModel, "vision::nms at __torch__.py:");
  }
  void whatIsNoModelIsNamedForWhatItIs() {
    QFETCH(QString, file);
    QFETCH(int, code);
    QFETCH(QString, says);
    try {
      graph::Model::load(file.toStdString());
      QFAIL("it was loaded");
    } catch (const Error& error) {
      QCOMPARE(static_cast<int>(error.code), code);
      const QString message = QString::fromStdString(error.what());
      QVERIFY2(message.contains(says), error.what());
      QVERIFY2(message.contains(QFileInfo(file).fileName()), error.what());
      QVERIFY(!error.hint.empty());
    }
  }

  void aRunDescriptionIsToldWhereItsModelStands() {
    const QString path = test::temporaryFolder() + QStringLiteral("/mine.run.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"binade_run\": 1, \"model\": \"mine.pt\"}");
    file.close();
    try {
      graph::Model::load(path.toStdString());
      QFAIL("it was loaded");
    } catch (const Error& error) {
      QVERIFY2(QString::fromStdString(error.what()).contains(QStringLiteral("looks like JSON")), error.what());
      QVERIFY2(QString::fromStdString(error.hint).contains(QStringLiteral("\"model\"")), error.hint.c_str());
    }
  }

  void aSafetensorsFileIsNamed() {
    const QString path = test::temporaryFolder() + QStringLiteral("/weights.safetensors");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    QByteArray size(8, '\0');
    size[0] = static_cast<char>(header.size());
    file.write(size + header + QByteArray(4, '\0'));
    file.close();
    try {
      graph::Model::load(path.toStdString());
      QFAIL("it was loaded");
    } catch (const Error& error) {
      QVERIFY2(QString::fromStdString(error.what()).contains(QStringLiteral("safetensors")), error.what());
    }
  }

  void anyPrefixOfAModelIsRefusedWithAMessage() {
    QFile whole(QStringLiteral(BINADE_TEST_DATA "/models/untrainable.pt"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    const QString path = test::temporaryFolder() + QStringLiteral("/part.pt");
    for (qsizetype size = 0; size < bytes.size(); size += 61) {
      QFile part(path);
      QVERIFY(part.open(QIODevice::WriteOnly));
      part.write(bytes.left(size));
      part.close();
      QVERIFY_EXCEPTION_THROWN(graph::Model::load(path.toStdString()), Error);
    }
  }

  void everySampleIsWrittenAndReadBack() {
    QVERIFY(!graph::samples().empty());
    for (const graph::Sample& sample : graph::samples()) {
      const std::string path = (test::temporaryFolder() + QStringLiteral("/model.pt")).toStdString();
      const graph::Model made = graph::make_sample(sample.name, 5);
      made.module().save(path);
      const graph::Model read = graph::Model::load(path);
      const auto before = made.parameters();
      const auto after = read.parameters();
      QCOMPARE(after.size(), before.size());
      QVERIFY(!before.empty());
      for (std::size_t i = 0; i < before.size(); ++i) {
        QCOMPARE(after[i].first, before[i].first);
        QVERIFY(after[i].second.equal(before[i].second));
        QVERIFY(after[i].second.requires_grad());
      }
    }
  }

  void aSampleRepeatsForItsSeedOnly() {
    const auto weight = [](std::uint64_t seed) { return graph::make_sample("mlp", seed).parameters().front().second; };
    QVERIFY(weight(1).equal(weight(1)));
    QVERIFY(!weight(1).equal(weight(2)));
    QVERIFY_EXCEPTION_THROWN(graph::make_sample("vgg", 1), Error);
  }
};

BINADE_SUITE(TestFiles);
#include "tst_files.moc"
