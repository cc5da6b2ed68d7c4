// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/model.h"
#include "engine/graph/samples.h"
#include "tests/graph/zip_records.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFileInfo>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <sstream>

using namespace binade;

namespace {

/// The values alone, tensors with all their bits.
void addValue(QByteArray& to, const c10::IValue& value) {
  to += QByteArray::fromStdString(value.tagKind() + " " + value.type()->annotation_str() + ";");
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    to += QByteArray::fromStdString(std::string(c10::toString(tensor.scalar_type())) +
                                    std::to_string(tensor.requires_grad()) + std::to_string(tensor.storage_offset()) +
                                    std::to_string(tensor.storage().nbytes()));
    for (std::int64_t i = 0; i < tensor.dim(); ++i) {
      to += QByteArray::number(static_cast<qlonglong>(tensor.size(i))) + '/' +
            QByteArray::number(static_cast<qlonglong>(tensor.stride(i))) + ' ';
    }
    const at::Tensor whole = tensor.contiguous();
    to.append(static_cast<const char*>(whole.const_data_ptr()), static_cast<qsizetype>(whole.nbytes()));
  } else if (value.isObject()) {
    for (const c10::IValue& slot : value.toObject()->slots()) addValue(to, slot);
  } else if (value.isTuple()) {
    for (const c10::IValue& element : value.toTuple()->elements()) addValue(to, element);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) addValue(to, element);
  } else if (value.isGenericDict()) {
    for (const auto& pair : value.toGenericDict()) {
      addValue(to, pair.key());
      addValue(to, pair.value());
    }
  } else {
    std::ostringstream text;
    text << value;
    to += QByteArray::fromStdString(text.str());
  }
}

QByteArray values(const torch::jit::Module& module) {
  QByteArray all;
  addValue(all, module._ivalue());
  return all;
}

}  // namespace

class ReadModels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void eachIsWhatLibTorchReads_data() {
    QTest::addColumn<QString>("file");
    for (const graph::Sample& sample : graph::samples()) {
      const QString file = test::temporaryFolder() + u'/' + QString::fromStdString(sample.name) + QStringLiteral(".pt");
      graph::make_sample(sample.name, 3).module().save(file.toStdString());
      QTest::newRow(sample.name.c_str()) << file;
    }
    const QDir folder(QStringLiteral(BINADE_TEST_DATA "/models"));
    const QStringList others{QStringLiteral("set_state.pt"), QStringLiteral("truncated.pt"),
                             QStringLiteral("unknown_op.pt")};
    for (const QString& name : folder.entryList({QStringLiteral("*.pt")})) {
      if (!others.contains(name)) QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
  }
  void eachIsWhatLibTorchReads() {
    QFETCH(QString, file);
    const graph::Model read = graph::Model::load(file.toStdString());
    const torch::jit::Module expected = torch::jit::load(file.toStdString());
    QVERIFY(values(read.module()) == values(expected));
    for (const auto& method : expected.get_methods()) {
      const QString name = QFileInfo(file).fileName();
      QCOMPARE(QString::fromStdString(read.module().get_method(method.name()).graph()->toString(false)),
               QString::fromStdString(method.graph()->toString(false)));
    }
  }

  void sharedTensorsStayShared() {
    const graph::Model model = graph::Model::load(BINADE_TEST_DATA "/models/values.pt");
    const auto attribute = [&](const char* name) { return model.module().attr(name); };
    QVERIFY(attribute("tied").toTensor().is_same(attribute("weight").toTensor()));
    QVERIFY(attribute("view").toTensor().is_alias_of(attribute("base").toTensor()));
  }

  void aFlippedBitIsNamed() {
    const std::string file = test::temporaryFolder().toStdString() + "/flipped.pt";
    const std::string whole = test::read_bytes(BINADE_TEST_DATA "/models/control.pt");
    const auto records = test::read_zip(BINADE_TEST_DATA "/models/control.pt");
    int tensors = 0;
    for (const test::ZipRecord& record : records) {
      const std::size_t at = whole.find(record.bytes, whole.find(record.name));  // behind its own header
      if (record.bytes.size() < 16 || at == std::string::npos) continue;         // code is packed
      std::string bytes = whole;
      bytes[at + record.bytes.size() / 2] ^= 1;
      test::write_bytes(file, bytes);
      try {
        graph::Model::load(file);
        QFAIL(record.name.c_str());
      } catch (const Error& error) {
        const std::string name = record.name.substr(record.name.find('/') + 1);
        QCOMPARE(std::string(error.what()), file + " is damaged: " + name + " does not match its checksum");
      }
      ++tensors;
    }
    QVERIFY(tensors > 4);
  }

  void aModelWithoutChecksumsLoads() {
    const std::string file = test::temporaryFolder().toStdString() + "/unchecked.pt";
    std::string bytes = test::read_bytes(BINADE_TEST_DATA "/models/control.pt");
    for (const std::size_t at : test::directory_entries(bytes)) bytes.replace(at + 16, 4, std::string(4, '\0'));
    test::write_bytes(file, bytes);
    QCOMPARE(values(graph::Model::load(file).module()),
             values(graph::Model::load(BINADE_TEST_DATA "/models/control.pt").module()));
  }
};

BINADE_SUITE(ReadModels);
#include "tst_read_models.moc"
