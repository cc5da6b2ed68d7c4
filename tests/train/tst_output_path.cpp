// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/train/output_path.h"
#include "tests/support/suite.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/full.h>

using binade::train::select_output;

namespace {

at::Tensor value(double of) {
  return at::full({2}, of);
}

/// ({"out": 1, "aux": [2, 3]}, 4, Pair(logits=5, hidden=6))
c10::IValue nested() {
  c10::impl::GenericDict dictionary(c10::StringType::get(), c10::AnyType::get());
  dictionary.insert("out", value(1));
  dictionary.insert("aux", c10::List<at::Tensor>({value(2), value(3)}));
  const auto type =
      c10::TupleType::createNamed(c10::QualifiedName("__torch__.Pair"), std::vector<std::string>{"logits", "hidden"},
                                  std::vector<c10::TypePtr>{c10::TensorType::get(), c10::TensorType::get()});
  const auto pair = c10::ivalue::Tuple::createNamed({value(5), value(6)}, type);
  return c10::ivalue::Tuple::create({dictionary, value(4), pair});
}

}  // namespace

class TestOutputPath : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void pathsLeadThroughTuplesListsAndDictionaries_data();
  void pathsLeadThroughTuplesListsAndDictionaries();
  void anEmptyPathIsTheOutputItself();
  void aWrongPathListsWhatThereIs_data();
  void aWrongPathListsWhatThereIs();
};

void TestOutputPath::pathsLeadThroughTuplesListsAndDictionaries_data() {
  QTest::addColumn<double>("wanted");
  QTest::newRow("[0].out") << 1.0;
  QTest::newRow("[0].aux[0]") << 2.0;
  QTest::newRow("[0].aux[-1]") << 3.0;
  QTest::newRow("[1]") << 4.0;
  QTest::newRow("[-2]") << 4.0;
  QTest::newRow("[2].logits") << 5.0;
  QTest::newRow("[2][1]") << 6.0;
  QTest::newRow("[-1].hidden") << 6.0;
}

void TestOutputPath::pathsLeadThroughTuplesListsAndDictionaries() {
  QFETCH(const double, wanted);
  QCOMPARE(select_output(nested(), QTest::currentDataTag())[0].item<double>(), wanted);
}

void TestOutputPath::anEmptyPathIsTheOutputItself() {
  QCOMPARE(select_output(value(9), "")[0].item<double>(), 9.0);
  QVERIFY_THROWS_EXCEPTION(binade::Error, select_output(value(9), "[0]"));
}

void TestOutputPath::aWrongPathListsWhatThereIs_data() {
  QTest::addColumn<QString>("why");
  QTest::newRow("(whole)") << QStringLiteral("the loss takes one tensor");
  QTest::newRow("[0]") << QStringLiteral("the loss takes one tensor");
  QTest::newRow("[3]") << QStringLiteral("no part \"[3]\"");
  QTest::newRow("[-4]") << QStringLiteral("no part \"[-4]\"");
  QTest::newRow("logits") << QStringLiteral("no part \"logits\"");
  QTest::newRow("[0].main") << QStringLiteral("no part \"main\"");
  QTest::newRow("[1][0]") << QStringLiteral("no part \"[0]\"");
  QTest::newRow("[") << QStringLiteral("no part \"[\"");
  QTest::newRow("[]") << QStringLiteral("no part \"[]\"");
  QTest::newRow("[1].") << QStringLiteral("no part \"\"");
}

void TestOutputPath::aWrongPathListsWhatThereIs() {
  QFETCH(const QString, why);
  const std::string tag = QTest::currentDataTag();
  try {
    select_output(nested(), tag == "(whole)" ? "" : tag);
    QFAIL("accepted");
  } catch (const binade::Error& error) {
    QVERIFY2(QString::fromUtf8(error.what()).contains(why), error.what());
    for (const char* path :
         {"[0].out (float32[2])", "[0].aux[1] (float32[2])", "[1] (float32[2])", "[2].logits (float32[2])"}) {
      QVERIFY2(QString::fromStdString(error.hint).contains(QLatin1String(path)), error.hint.c_str());
    }
  }
}

BINADE_SUITE(TestOutputPath);
#include "tst_output_path.moc"
