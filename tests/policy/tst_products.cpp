// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/base_policy.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/differences.h"
#include "engine/policy/recipes.h"
#include "engine/policy/resolve.h"
#include "engine/policy/runs_alike.h"
#include "tests/policy/site_rule.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace binade;
using policy::Operand;
using policy::Policy;
using policy::Product;
using policy::Products;

namespace {

Policy read_rule(const QByteArray& rule) {
  return policy::parse_policy(R"({"binade_policy": 1, "sites": [)" + rule.toStdString() + "]}", "a policy");
}

/// The message and hint of the refusal of a rule; empty if it is accepted.
QString refusal(const QByteArray& rule) {
  try {
    read_rule(rule);
  } catch (const Error& error) {
    return error.code == ErrorCode::kBadPolicy
               ? QString::fromUtf8(error.what()) + u'\n' + QString::fromStdString(error.hint)
               : QStringLiteral("another code");
  }
  return {};
}

policy::SiteKey site(const char* path, const char* op) {
  policy::SiteKey key;
  key.path = path;
  key.op = op;
  return key;
}

const std::vector<policy::SiteKey>& sites() {
  static const std::vector<policy::SiteKey> all{site("conv", "aten::conv2d"), site("fc", "aten::linear"),
                                                site("act", "aten::relu"), site("", "aten::matmul")};
  return all;
}

QStringList findings(const policy::Resolved& resolved, policy::Finding::Severity severity) {
  QStringList texts;
  for (const policy::Finding& finding : resolved.findings) {
    if (finding.severity == severity) texts << QString::fromStdString(finding.message);
  }
  return texts;
}

scaled::ScaledFormat named(const char* name) {
  return *scaled::parse(name);
}

}  // namespace

// Formats of the three products of an op call.
class PolicyProducts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyFieldIsReadAndWritten();
  void aRuleWithoutProductsWritesNone();
  void badValuesAreRefusedWithTheFieldAndANextStep_data();
  void badValuesAreRefusedWithTheFieldAndANextStep();
  void productsAreAJsonObject();
  void onlyOpCallsWithProductsTakeThem();
  void aRuleWithoutAnyProductToQuantizeIsReported();
  void fieldsWithoutEffectAreReported();
  void productsCountAsADifference();
  void operandsOfAProductHaveTheFormOfTheirKind();
  void everyRecipeIsAPolicyThatReadsBack();
  void aRecipeFitsAModelWithoutConvolutions();
  void theSchemaNamesTheFormats();
};

void PolicyProducts::everyFieldIsReadAndWritten() {
  const Policy policy = read_rule(R"({"match": "fc", "format": "bfloat16", "forward": "mxfp8", "grad_input": "nvfp4",
                                 "grad_weight": "float32", "rounding": "stochastic", "transform": "hadamard"})");
  const Products& products = policy.sites.front().products;
  QVERIFY(products.forward == policy::OperandFormat(named("mxfp8")));
  QVERIFY(products.grad_input == policy::OperandFormat(named("nvfp4")));
  QVERIFY(products.grad_weight == policy::OperandFormat(formats::kFloat32));
  QVERIFY(products.rounding == policy::Rounding::kStochastic);
  QVERIFY(products.transform == policy::Transform::kHadamard);
  QVERIFY(policy::parse_policy(policy::to_json(policy), "again") == policy);
}

void PolicyProducts::aRuleWithoutProductsWritesNone() {
  const std::string text = policy::to_json(read_rule(R"({"match": "fc", "format": "bfloat16"})"));
  for (const char* field : {"forward", "grad_input", "grad_weight", "rounding", "transform"}) {
    QVERIFY2(text.find(field) == std::string::npos, field);
  }
}

void PolicyProducts::badValuesAreRefusedWithTheFieldAndANextStep_data() {
  QTest::addColumn<QByteArray>("fields");
  QTest::addColumn<QString>("place");
  QTest::addColumn<QString>("next");
  const auto row = [](const char* name, const QByteArray& fields, const QString& place, const QString& next) {
    QTest::newRow(name) << fields << place << next;
  };
  row("unknown format", R"("forward": "mxfp9")", QStringLiteral("sites[0].forward"), QStringLiteral("mxfp8"));
  row("not a string", R"("grad_weight": 4)", QStringLiteral("sites[0].grad_weight"), QStringLiteral("string"));
  row("rounding in a format", R"("grad_input": "nvfp4+stochastic")", QStringLiteral("sites[0].grad_input"),
      QStringLiteral("\"rounding\""));
  row("unknown rounding", R"("forward": "mxfp8", "rounding": "up")", QStringLiteral("sites[0].rounding"),
      QStringLiteral("stochastic"));
  row("unknown transform", R"("forward": "mxfp8", "transform": "dct")", QStringLiteral("sites[0].transform"),
      QStringLiteral("hadamard"));
  row("rounding alone", R"("rounding": "stochastic")", QStringLiteral("sites[0].rounding"),
      QStringLiteral("grad_weight"));
  row("transform alone", R"("transform": "hadamard")", QStringLiteral("sites[0].transform"),
      QStringLiteral("grad_weight"));
}

void PolicyProducts::badValuesAreRefusedWithTheFieldAndANextStep() {
  QFETCH(QByteArray, fields);
  QFETCH(QString, place);
  QFETCH(QString, next);
  const QString text = refusal(R"({"match": "fc", "format": "bfloat16", )" + fields + '}');
  QVERIFY2(text.contains(place), qPrintable(text));
  QVERIFY2(text.section(u'\n', 1).contains(next), qPrintable(text));
  // A format with scales is none of results.
  const QString results = refusal(R"({"match": "fc", "format": "mxfp8"})");
  QVERIFY2(results.contains(QStringLiteral("sites[0].format")) && results.contains(QStringLiteral("grad_input")),
           qPrintable(results));
}

void PolicyProducts::productsAreAJsonObject() {
  Products products;
  products.grad_weight = policy::parse_operand("fp8_delayed_e5m2");
  products.transform = policy::Transform::kHadamard;
  const std::string text = policy::to_json(products);
  QCOMPARE(text, std::string(R"({"grad_weight":"fp8_delayed_e5m2","transform":"hadamard"})"));
  QVERIFY(policy::parse_products(text, "products") == products);
  QVERIFY(policy::parse_products("{}", "products") == Products());
  for (const char* bad : {"[]", R"({"backward": "mxfp8"})", R"({"forward": "x"})", ""}) {
    QVERIFY_EXCEPTION_THROWN(policy::parse_products(bad, "products"), Error);
  }
}

void PolicyProducts::onlyOpCallsWithProductsTakeThem() {
  const Policy policy = read_rule(R"({"match": "*", "format": "bfloat16", "forward": "mxfp8"})");
  const policy::Resolved resolved = policy::resolve(policy, sites(), {});
  for (std::size_t i = 0; i < sites().size(); ++i) {
    const policy::Decision& decision = resolved.sites[i];
    QVERIFY(decision.format == formats::kBFloat16);
    const bool has = sites()[i].op != "aten::relu";
    QCOMPARE(!decision.products.empty(), has);
    QCOMPARE(decision.execution == policy::Execution::kEmulated, has);
    QCOMPARE(policy::decision_text(decision).find("mxfp8") != std::string::npos, has);
    QVERIFY(policy::products_of(policy, decision.rule, sites()[i].op, "") == decision.products);
  }
  QVERIFY(policy::products_of(policy, -1, "aten::linear", "").empty());
  QVERIFY(policy::products_of(policy, 0, "aten::addmm", "out").empty());
  const QStringList notes = findings(resolved, policy::Finding::Severity::kNote);
  QVERIFY2(notes.filter(QStringLiteral("act/aten::relu#0")).size() == 1, qPrintable(notes.join(u'\n')));
  QVERIFY(findings(resolved, policy::Finding::Severity::kWarning).isEmpty());
}

void PolicyProducts::aRuleWithoutAnyProductToQuantizeIsReported() {
  const Policy policy =
      read_rule("{\"match\": \"act/aten::relu#0\", \"format\": \"bfloat16\", \"forward\": \"nvfp4\"}");
  const policy::Resolved resolved = policy::resolve(policy, sites(), {});
  QVERIFY(resolved.sites[2].products.empty());
  const QStringList warnings = findings(resolved, policy::Finding::Severity::kWarning);
  QVERIFY2(warnings.filter(QStringLiteral("act/aten::relu#0")).size() == 1, qPrintable(warnings.join(u'\n')));
  for (const policy::Finding& finding : resolved.findings) {
    if (finding.severity == policy::Finding::Severity::kWarning) QCOMPARE(finding.rule, 0);
  }
}

void PolicyProducts::fieldsWithoutEffectAreReported() {
  const auto warnings = [](const QByteArray& fields) {
    const Policy policy = read_rule(R"({"match": "fc", "format": "bfloat16", )" + fields + '}');
    return findings(policy::resolve(policy, sites(), {}), policy::Finding::Severity::kWarning).join(u'\n');
  };
  QVERIFY(warnings(R"("forward": "nvfp4", "rounding": "stochastic")").contains(QStringLiteral("stochastic")));
  QVERIFY(warnings(R"("grad_input": "nvfp4", "transform": "hadamard")").contains(QStringLiteral("Hadamard")));
  QCOMPARE(warnings(R"("grad_weight": "nvfp4", "rounding": "stochastic", "transform": "hadamard")"), QString());
  const Policy both = read_rule(R"({"match": "fc", "format": "bfloat16", "forward": "mxfp8_e5m2"})");
  const QStringList notes = findings(policy::resolve(both, sites(), {}), policy::Finding::Severity::kNote);
  QCOMPARE(notes.filter(QStringLiteral("cuBLAS")).size(), 1);
}

void PolicyProducts::productsCountAsADifference() {
  const Policy plain = read_rule(R"({"match": "fc", "format": "bfloat16"})");
  const Policy scaled = read_rule(R"({"match": "fc", "format": "bfloat16", "forward": "mxfp8"})");
  const auto found = policy::differences(plain, scaled);
  QCOMPARE(found.size(), std::size_t{1});
  QVERIFY(found.front().second.find("mxfp8") != std::string::npos);
  const policy::Resolved one = policy::resolve(plain, sites(), {});
  const policy::Resolved other = policy::resolve(scaled, sites(), {});
  QVERIFY(!policy::runs_alike(one, other));
  QVERIFY(policy::runs_alike(other, policy::resolve(scaled, sites(), {})));
}

void PolicyProducts::operandsOfAProductHaveTheFormOfTheirKind() {
  Products products;
  products.rounding = policy::Rounding::kStochastic;
  products.transform = policy::Transform::kHadamard;
  const auto of = [&](const char* format, Product product, Operand operand) {
    return scaled::name(policy::operand_format(named(format), product, operand, products));
  };
  using enum Product;
  using enum Operand;
  QCOMPARE(of("nvfp4", kForward, kInput), std::string("nvfp4"));
  QCOMPARE(of("nvfp4", kForward, kWeight), std::string("nvfp4_16x16"));
  QCOMPARE(of("nvfp4", kGradInput, kWeight), std::string("nvfp4_16x16"));
  QCOMPARE(of("nvfp4", kGradInput, kGradient), std::string("nvfp4+stochastic"));
  QCOMPARE(of("nvfp4", kGradWeight, kGradient), std::string("nvfp4+stochastic+hadamard"));
  QCOMPARE(of("nvfp4", kGradWeight, kInput), std::string("nvfp4+hadamard"));
  QCOMPARE(of("fp8_block", kForward, kWeight), std::string("fp8_block_128x128"));
  QCOMPARE(of("mxfp8", kForward, kWeight), std::string("mxfp8"));
  // E5M2 is for gradients only.
  QCOMPARE(of("fp8_current_e5m2", kGradInput, kWeight), std::string("fp8_current"));
  QCOMPARE(of("fp8_current_e5m2", kGradInput, kGradient), std::string("fp8_current_e5m2+stochastic"));
  QCOMPARE(of("mxfp8_e5m2", kForward, kInput), std::string("mxfp8_e5m2"));
}

void PolicyProducts::everyRecipeIsAPolicyThatReadsBack() {
  QCOMPARE(policy::recipe_names().size(), std::size_t{5});
  for (const std::string& name : policy::recipe_names()) {
    const std::optional<Policy> recipe = policy::base_policy(name);
    QVERIFY2(recipe, name.c_str());
    QCOMPARE(recipe->name, name);
    QVERIFY(recipe->low == formats::kBFloat16);
    QVERIFY(!policy::recipe_brief(name).empty());
    QVERIFY(policy::parse_policy(policy::to_json(*recipe), name) == *recipe);
    const policy::Resolved resolved = policy::resolve(*recipe, sites(), {});
    QVERIFY(!resolved.sites[0].products.empty() && !resolved.sites[1].products.empty());
    QVERIFY(resolved.sites[2].products.empty() && resolved.sites[3].products.empty());
    const QStringList warnings = findings(resolved, policy::Finding::Severity::kWarning);
    QVERIFY2(warnings.isEmpty(), qPrintable(warnings.join(u'\n')));
  }
  const Products nvfp4 = policy::recipe("nvfp4")->sites.front().products;
  QVERIFY(nvfp4.rounding == policy::Rounding::kStochastic && nvfp4.transform == policy::Transform::kHadamard);
  QVERIFY(!policy::recipe("mxfp9"));
  QVERIFY(policy::hint_on_base("mxfp9").find("mxfp8") != std::string::npos);
}

void PolicyProducts::aRecipeFitsAModelWithoutConvolutions() {
  const std::vector<policy::SiteKey> linear{site("fc", "aten::linear")};
  QVERIFY(
      findings(policy::resolve(*policy::recipe("mxfp8"), linear, {}), policy::Finding::Severity::kWarning).isEmpty());
  // A model without any product is worth a warning.
  const std::vector<policy::SiteKey> none{site("act", "aten::relu")};
  QVERIFY(
      !findings(policy::resolve(*policy::recipe("mxfp8"), none, {}), policy::Finding::Severity::kWarning).isEmpty());
}

void PolicyProducts::theSchemaNamesTheFormats() {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/resources/schemas/policy.schema.json"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonObject schema = QJsonDocument::fromJson(file.readAll()).object();
  const QJsonArray names =
      schema[u"$defs"].toObject()[u"operand"].toObject()[u"anyOf"].toArray()[0].toObject()[u"enum"].toArray();
  QStringList in_schema;
  for (const QJsonValue& name : names) in_schema << name.toString();
  QStringList known;
  for (const scaled::NamedScaledFormat& each : scaled::named_formats()) {
    known << QString::fromUtf8(each.name.data(), static_cast<qsizetype>(each.name.size()));
  }
  in_schema.sort();
  known.sort();
  QCOMPARE(in_schema, known);
}

BINADE_SUITE(PolicyProducts);
#include "tst_products.moc"
