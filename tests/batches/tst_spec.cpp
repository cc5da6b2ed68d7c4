// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/spec.h"
#include "engine/graph/dtype_name.h"
#include "tests/support/suite.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/jit_type.h>

#include <cmath>

using binade::Error;
using binade::batches::make;
using binade::batches::parse_spec;
using binade::graph::shape_name;

namespace {

c10::IValue made(const std::string& text, std::uint64_t seed = 1) {
  return make(parse_spec(text), at::make_generator<at::CPUGeneratorImpl>(seed));
}

}  // namespace

class TestSpec : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void tensorsHaveTheirDtypeAndShape_data();
  void tensorsHaveTheirDtypeAndShape();
  void limitsHold();
  void givenValuesAreTaken();
  void literalsListsAndNone();
  void tuplesAndDictionaries();
  void equalSeedsDrawEqualValues();
  void mistakesAreNamedWithTheirPlace_data();
  void mistakesAreNamedWithTheirPlace();
};

void TestSpec::tensorsHaveTheirDtypeAndShape_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("shape");
  for (const char* text : {"float32[2,3,4]", "float64[1]", "float16[2,2]", "bfloat16[3]", "int64[2,16]", "int32[5]",
                           "int16[5]", "int8[5]", "uint8[5]", "bool[4]", "float32[]", "float32[0,3]"}) {
    QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(text);
  }
  QTest::newRow("spaces") << QStringLiteral(" float32 [ 2 , 3 ] ") << QStringLiteral("float32[2,3]");
  QTest::newRow("limit") << QStringLiteral("int64[2,16]<1000") << QStringLiteral("int64[2,16]");
  QTest::newRow("values") << QStringLiteral("int64[2]=50,40") << QStringLiteral("int64[2]");
}

void TestSpec::tensorsHaveTheirDtypeAndShape() {
  QFETCH(const QString, text);
  QFETCH(const QString, shape);
  QCOMPARE(QString::fromStdString(shape_name(made(text.toStdString()).toTensor())), shape);
}

void TestSpec::limitsHold() {
  const at::Tensor drawn = made("int64[10000]<7").toTensor();
  QCOMPARE(drawn.min().item<std::int64_t>(), 0);
  QCOMPARE(drawn.max().item<std::int64_t>(), 6);
  QVERIFY(made("int64[10000]").toTensor().max().item<std::int64_t>() < 10);
  const at::Tensor even = made("float32[10000]<4").toTensor();
  QVERIFY(even.min().item<float>() >= 0 && even.max().item<float>() < 4);
  QVERIFY(std::abs(even.mean().item<float>() - 2) < 0.1);
  QVERIFY(made("float16[1000]<1").toTensor().max().item<float>() <= 1);
  const at::Tensor coin = made("bool[1000]").toTensor();
  QVERIFY(coin.any().item<bool>() && !coin.all().item<bool>());
}

void TestSpec::givenValuesAreTaken() {
  const at::Tensor lengths = made("int64[2,2]=50,40,-3,9007199254740993").toTensor();
  QCOMPARE(lengths.sizes(), (at::IntArrayRef{2, 2}));
  QCOMPARE(lengths.flatten()[2].item<std::int64_t>(), -3);
  QCOMPARE(lengths.flatten()[3].item<std::int64_t>(), 9007199254740993);
  QCOMPARE(made("float32[2]=0.5,1e3").toTensor()[1].item<float>(), 1000.0F);
  QCOMPARE(made("bfloat16[1]=-2").toTensor()[0].item<float>(), -2.0F);
  const at::Tensor truths = made("bool[4]=true,false,1,0").toTensor();
  QVERIFY(truths[0].item<bool>() && !truths[1].item<bool>() && truths[2].item<bool>() && !truths[3].item<bool>());
}

void TestSpec::literalsListsAndNone() {
  QVERIFY(made("none").isNone());
  QCOMPARE(made("true").toBool(), true);
  QCOMPARE(made("false").toBool(), false);
  QCOMPARE(made("3").toInt(), 3);
  QCOMPARE(made("-12").toInt(), -12);
  QCOMPARE(made("0.5").toDouble(), 0.5);
  QCOMPARE(made("1e3").toDouble(), 1000.0);
  QCOMPARE(QString::fromStdString(made("\"a \\\"b\\\"\"").toStringRef()), QStringLiteral("a \"b\""));
  QCOMPARE(made("list(float32[2], int64[1]=3)").toTensorVector().size(), 2u);
  QCOMPARE(made("list(int64[2]=5,6, float32[3])").toTensorVector().size(), 2u);
  QCOMPARE(made("list(1, 2, 3)").toIntVector(), (std::vector<std::int64_t>{1, 2, 3}));
  QVERIFY(made("list()").isTensorList());
  QCOMPARE(made("list(list(1), list(2, 3))").toListRef().size(), 2u);
}

void TestSpec::tuplesAndDictionaries() {
  const c10::IValue tuple = made("tuple(float32[2], int64[3]<4, 5)");
  QVERIFY(tuple.isTuple());
  QCOMPARE(tuple.toTupleRef().elements().size(), std::size_t{3});
  QCOMPARE(tuple.toTupleRef().elements()[2].toInt(), 5);
  const c10::IValue dict = made(R"(dict("x": float32[2,3], "a b": float64[1]))");
  QVERIFY(dict.isGenericDict());
  QCOMPARE(dict.toGenericDict().at("x").toTensor().size(1), 3);
  QCOMPARE(dict.toGenericDict().at("a b").toTensor().scalar_type(), at::kDouble);
  QVERIFY(made("dict()").isGenericDict());
  binade::batches::Spec spec = parse_spec(R"(list(tuple(float32[2], none), dict("x": int64[4])))");
  QCOMPARE(binade::batches::tensors_of(spec).size(), std::size_t{2});
  QVERIFY_EXCEPTION_THROWN(parse_spec("dict(x: float32[2])"), binade::Error);
  QVERIFY_EXCEPTION_THROWN(made(R"(dict("x": float32[2], "y": 3))"), binade::Error);
}

void TestSpec::equalSeedsDrawEqualValues() {
  for (const char* text : {"float32[3,3]", "float32[3,3]<1", "int64[9]<100", "bool[64]"}) {
    QVERIFY(made(text, 5).toTensor().equal(made(text, 5).toTensor()));
    QVERIFY(!made(text, 5).toTensor().equal(made(text, 6).toTensor()));
  }
}

void TestSpec::mistakesAreNamedWithTheirPlace_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("place");
  const auto row = [](const char* text, const char* place) {
    QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(place);
  };
  row("", "character 1: expected an input, found the end");
  row("float33[2]", "character 1: unknown dtype \"float33\"");
  row("list(float31[2])", "character 6: unknown dtype \"float31\"");
  row("set(3)", "character 1: expected float32, float64");
  row("float32", "character 8: expected '['");
  row("float32[2,x]", "character 11: expected a size, found 'x'");
  row("float32[2", "character 10: expected ']'");
  row("float32[-2]", "a size of 0 or more");
  row("float32[99999999,99999999]", "a smaller tensor");
  row("bool[2]<3", "no limit");
  row("bool[2]=true,2", "true, false, 1 or 0");
  row("int64[2]<0", "a limit above 0");
  row("int64[2]=5", "1 more values");
  row("int64[2]=5,6,7", "character 13: expected the end");
  row("int64[1]=0.5", "an integer");
  row("list(float32[2]", "expected ')'");
  row("list(list(list(list(list(list(list(list(list(list(list(list(list(list(list(list(list(list(1))))))))))))))))))",
      "fewer nested lists");
  row("\"open", "expected '\"'");
  row("float32[2] and", "character 12: expected the end");
}

void TestSpec::mistakesAreNamedWithTheirPlace() {
  QFETCH(const QString, text);
  QFETCH(const QString, place);
  try {
    parse_spec(text.toStdString(), binade::ErrorCode::kBadRun);
    QFAIL("accepted");
  } catch (const Error& error) {
    const QString message = QString::fromUtf8(error.what());
    QVERIFY2(message.contains(place), error.what());
    QVERIFY2(message.contains(text), error.what());
    QCOMPARE(error.code, binade::ErrorCode::kBadRun);
    QVERIFY(!error.hint.empty());
  }
}

BINADE_SUITE(TestSpec);
#include "tst_spec.moc"
