// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/recipes.h"
#include "engine/targets/checked_text.h"
#include "tests/support/suite.h"
#include "tests/targets/assigned.h"

#include <algorithm>

using namespace binade;
using policy::Policy;
using targets::Assignment;
using targets::CheckedText;
using targets::Finding;

namespace {

constexpr const char* kScaledTargets[] = {"te-recipe", "torchao", "torchtitan", "megatron"};

/// A decoder of twelve blocks with a linear head, and nothing but linear layers with products.
const std::vector<policy::SiteKey>& decoder() {
  static const std::vector<policy::SiteKey> keys = [] {
    std::vector<policy::SiteKey> all{{"embedding", "", "aten::embedding", "", 0}};
    for (int i = 0; i < 12; ++i) {
      const std::string block = "layers." + std::to_string(i);
      all.push_back({block + ".attention", "", "aten::linear", "", 0});
      all.push_back({block + ".norm", "", "aten::layer_norm", "", 0});
      all.push_back({block + ".fc1", "", "aten::linear", "", 0});
    }
    all.push_back({"head", "", "aten::linear", "", 0});
    return all;
  }();
  return keys;
}

/// A recipe in which these formats are those of the products and the modules stay in bfloat16.
Policy made(const char* recipe, const char* forward, const char* gradients, const std::vector<std::string>& kept) {
  Policy policy = policy::recipe(recipe).value();
  for (policy::SiteRule& rule : policy.sites) {
    rule.products.forward = policy::parse_operand(forward).value();
    rule.products.grad_input = rule.products.grad_weight = policy::parse_operand(gradients).value();
  }
  for (const std::string& path : kept) {
    policy::SiteRule rule;
    rule.match = path;
    rule.format = formats::kBFloat16;
    policy.sites.push_back(rule);
  }
  // A rule for a module also matches its norm, which the lists run in float32.
  policy::SiteRule norms;
  norms.match = "*aten::layer_norm#*";
  norms.format = formats::kFloat32;
  policy.sites.push_back(norms);
  return policy;
}

/// Convolutions are no part of the decoder: their rule would match nothing.
Assignment assigned(const Policy& policy, const std::vector<policy::SiteKey>& keys = decoder()) {
  return test::assigned(policy, keys);
}

CheckedText textBy(const char* target, const Policy& policy, const std::vector<policy::SiteKey>& keys = decoder()) {
  return targets::checked_text(test::targetOf(target), assigned(policy, keys));
}

bool hasWords(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool cannotSay(const CheckedText& text, const std::string& part, const std::string& site) {
  const auto& findings = text.written.findings;
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.kind == Finding::Kind::kInexpressible && hasWords(finding.message, part) &&
           std::find(finding.sites.begin(), finding.sites.end(), site) != finding.sites.end();
  });
}

std::string refusalOfList(const char* target, const std::string& text) {
  try {
    test::targetOf(target).read(text, "list.txt",
                                assigned(test::startingFrom(policy::Base::kCudaAmp, formats::kBFloat16)));
    return {};
  } catch (const Error& error) {
    return std::string(error.what()) + "\n" + error.hint;
  }
}

/// Module paths of the op calls with products in what a target reads.
std::vector<std::string> quantizedBy(const char* target, const std::string& text) {
  const Assignment model = assigned(test::startingFrom(policy::Base::kCudaAmp, formats::kBFloat16));
  const targets::Read read = test::targetOf(target).read(text, "list.txt", model);
  const policy::Resolved table = policy::resolve(read.policy, model.keys, model.table.capabilities, model.places);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < model.keys.size(); ++i) {
    if (!table.sites[i].products.empty()) paths.push_back(model.keys[i].path);
  }
  return paths;
}

std::string failure(const CheckedText& text) {
  std::string all = text.written.text;
  for (const Finding& finding : text.written.findings) all += "\n" + finding.message;
  return all;
}

}  // namespace

// Recipes of scaled formats, and the layers that stay out, in the files of programs that train with them.
class ScaledTargets : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatAProgramComputesIsExact_data();
  void whatAProgramComputesIsExact();
  void transformerEngineHasARecipeAndLayersThatStayOut();
  void scalesThatTransformerEngineRoundsUpAreNamed();
  void torchaoFiltersByModuleName();
  void torchtitanMatchesPartsOfNames();
  void megatronKeepsWholeLayersAtTheEnds();
  void megatronRefusesEndsWithDelayedScaling();
  void policiesWithoutScaledFormatsQuantizeNothing();
  void nearestRecipeIsTaken();
  void otherProductsAndConvolutionsAreNamed();
  void otherTargetsRefuseScaledFormatsByName();
  void allKindsOfPoliciesAreDeclared();
  void badFilesAreRefused_data();
  void badFilesAreRefused();
};

void ScaledTargets::whatAProgramComputesIsExact_data() {
  QTest::addColumn<QByteArray>("target");
  QTest::addColumn<QByteArray>("recipe");
  QTest::addColumn<QByteArray>("forward");
  QTest::addColumn<QByteArray>("gradients");
  const auto row = [](const char* target, const char* recipe, const char* forward, const char* gradients) {
    QTest::addRow("%s %s %s", target, forward, gradients)
        << QByteArray(target) << QByteArray(recipe) << QByteArray(forward) << QByteArray(gradients);
  };
  for (const char* target : {"te-recipe", "megatron"}) {
    row(target, "mxfp8", "mxfp8+rceil", "mxfp8+rceil");
    row(target, "mxfp8", "mxfp8+rceil", "mxfp8_e5m2+rceil");
    row(target, "nvfp4", "nvfp4", "nvfp4");
    row(target, "fp8-current", "fp8_current", "fp8_current_e5m2");
    row(target, "fp8-current", "fp8_current", "fp8_current");
    row(target, "fp8-block", "fp8_block+pow2", "fp8_block+pow2");
  }
  row("te-recipe", "fp8-current", "fp8_current+pow2", "fp8_current_e5m2+pow2");
  row("te-recipe", "fp8-block", "fp8_block", "fp8_block");
  row("te-recipe", "fp8-delayed", "fp8_delayed", "fp8_delayed_e5m2");
  row("torchao", "mxfp8", "mxfp8+rceil", "mxfp8+rceil");
  row("torchao", "mxfp8", "mxfp8", "mxfp8");
  row("torchao", "nvfp4", "nvfp4", "nvfp4");
  row("torchao", "fp8-current", "fp8_current", "fp8_current_e5m2");
  row("torchao", "fp8-current", "fp8_current+pow2", "fp8_current_e5m2+pow2");
  row("torchtitan", "mxfp8", "mxfp8+rceil", "mxfp8+rceil");
  row("torchtitan", "nvfp4", "nvfp4", "nvfp4");
}

void ScaledTargets::whatAProgramComputesIsExact() {
  QFETCH(QByteArray, target);
  QFETCH(QByteArray, recipe);
  QFETCH(QByteArray, forward);
  QFETCH(QByteArray, gradients);
  const Policy policy =
      made(recipe.constData(), forward.constData(), gradients.constData(), {"layers.0", "layers.11", "head"});
  const CheckedText text = textBy(target.constData(), policy);
  QVERIFY2(text.exact(), failure(text).c_str());
  QCOMPARE(text.proof->op_calls, decoder().size());
}

void ScaledTargets::transformerEngineHasARecipeAndLayersThatStayOut() {
  Policy policy = made("nvfp4", "nvfp4", "nvfp4", {"layers.0", "head"});
  const std::string text = textBy("te-recipe", policy).written.text;
  QVERIFY2(
      hasWords(text,
               "RECIPE = \"NVFP4BlockScaling\"\nFORMAT = \"E2M1\"\nSTOCHASTIC_ROUNDING = True\nHADAMARD = True\n"
               "HIGH_PRECISION_LAYERS = [\n    \"head\",\n    \"layers.0.attention\",\n    \"layers.0.fc1\",\n]\n"),
      text.c_str());
  for (policy::SiteRule& rule : policy.sites) rule.products.rounding = policy::Rounding::kNearest;
  QVERIFY(hasWords(textBy("te-recipe", policy).written.text, "STOCHASTIC_ROUNDING = False\nHADAMARD = True\n"));
  QCOMPARE(quantizedBy("te-recipe", text).size(), std::size_t{22});
  QCOMPARE(quantizedBy("te-recipe", "RECIPE = 'Float8BlockScaling'\nHIGH_PRECISION_LAYERS = ['head']\n").size(),
           std::size_t{24});
}

void ScaledTargets::scalesThatTransformerEngineRoundsUpAreNamed() {
  const CheckedText text = textBy("te-recipe", policy::recipe("mxfp8").value());
  QVERIFY(!text.exact());
  QVERIFY(cannotSay(text, "products mxfp8 ", "head/aten::linear#0"));
  QVERIFY(cannotSay(text, "products mxfp8+rceil", "head/aten::linear#0"));
}

void ScaledTargets::torchaoFiltersByModuleName() {
  Policy policy = made("mxfp8", "mxfp8+rceil", "mxfp8+rceil", {"layers.3.fc1"});
  for (policy::SiteRule& rule : policy.sites) rule.products.grad_weight.reset();
  const CheckedText text = textBy("torchao", policy);
  QVERIFY2(text.exact(), failure(text).c_str());
  QVERIFY(hasWords(text.written.text,
                   "RECIPE = \"mxfp8\"\nSCALE_MODE = \"RCEIL\"\nWEIGHT_GRADIENT_IN_HIGH_PRECISION = True\n"
                   "HIGH_PRECISION_LAYERS = [\n    \"layers.3.fc1\",\n]\n"));
  for (policy::SiteRule& rule : policy.sites) rule.products.grad_input.reset();
  QVERIFY(!textBy("torchao", policy).exact());
}

void ScaledTargets::torchtitanMatchesPartsOfNames() {
  const auto textOf = [](const std::vector<std::string>& kept) {
    return textBy("torchtitan", made("mxfp8", "mxfp8+rceil", "mxfp8+rceil", kept));
  };
  QVERIFY(hasWords(textOf({}).written.text, "CONVERTER = \"MXFP8LinearConverter\"\nFQNS = []\n"));
  QVERIFY(hasWords(textOf({"head"}).written.text, "FQNS = [\n    \"layers.\",\n]\n"));
  const CheckedText first = textOf({"head", "layers.0"});
  QVERIFY(hasWords(first.written.text, "    \"layers.1.\",\n    \"layers.10.\",\n"));
  QVERIFY2(first.exact(), failure(first).c_str());
  // "fc" is a part of "fc2": torchtitan converts both.
  const std::vector<policy::SiteKey> keys{{"fc", "", "aten::linear", "", 0}, {"fc2", "", "aten::linear", "", 0}};
  const CheckedText both = textBy("torchtitan", made("mxfp8", "mxfp8+rceil", "mxfp8+rceil", {"fc2"}), keys);
  QVERIFY(!both.exact());
  QVERIFY2(cannotSay(both, "becomes", "fc2/aten::linear#0"), failure(both).c_str());
  QCOMPARE(quantizedBy("torchtitan", "CONVERTER = 'NVFP4LinearConverter'\nFQNS = ['layers.1']\n").size(),
           std::size_t{6});  // of the blocks 1, 10 and 11
}

void ScaledTargets::megatronKeepsWholeLayersAtTheEnds() {
  const auto textOf = [](const std::vector<std::string>& kept) {
    return textBy("megatron", made("fp8-current", "fp8_current", "fp8_current_e5m2", kept));
  };
  const CheckedText ends = textOf({"layers.0", "layers.10", "layers.11", "head"});
  QVERIFY2(ends.exact(), failure(ends).c_str());
  QVERIFY2(hasWords(ends.written.text,
                    "PRECISION_ARGS=(\n  --bf16\n  --fp8-format hybrid\n  --fp8-recipe tensorwise\n"
                    "  --first-last-layers-bf16\n  --num-layers-at-start-in-bf16 1\n"
                    "  --num-layers-at-end-in-bf16 2\n)\n"),
           ends.written.text.c_str());
  const CheckedText middle = textOf({"layers.5", "head"});
  QVERIFY(!middle.exact() && !hasWords(middle.written.text, "first-last"));
  QVERIFY(cannotSay(middle, "at the start and the end", "layers.5.fc1/aten::linear#0"));
  QVERIFY(cannotSay(textOf({}), "at the start and the end", "head/aten::linear#0"));
  QVERIFY(quantizedBy("megatron", "ARGS=\"--bf16 --fp4-format=e2m1 --first-last-layers-bf16 # one each\n\"") ==
          quantizedBy("megatron",
                      "--fp8-format e4m3 \\\n --fp8-recipe mxfp8 --first-last-layers-bf16 "
                      "--num-layers-at-start-in-bf16 1"));
}

void ScaledTargets::megatronRefusesEndsWithDelayedScaling() {
  const auto textOf = [](const std::vector<std::string>& kept) {
    return textBy("megatron", made("fp8-delayed", "fp8_delayed", "fp8_delayed_e5m2", kept));
  };
  const CheckedText whole = textOf({"head"});
  QVERIFY2(whole.exact(), failure(whole).c_str());
  QVERIFY(hasWords(whole.written.text, "  --fp8-amax-history-len 1024\n  --fp8-amax-compute-algo max\n"));
  const CheckedText ends = textOf({"head", "layers.0"});
  QVERIFY(cannotSay(ends, "becomes", "layers.0.fc1/aten::linear#0"));
  QVERIFY(!hasWords(ends.written.text, "first-last"));
}

void ScaledTargets::policiesWithoutScaledFormatsQuantizeNothing() {
  const Policy policy = test::startingFrom(policy::Base::kCudaAmp, formats::kBFloat16);
  for (const char* target : kScaledTargets) {
    const CheckedText text = textBy(target, policy);
    QVERIFY2(text.exact(), target);
    QVERIFY2(quantizedBy(target, text.written.text).empty(), text.written.text.c_str());
  }
}

void ScaledTargets::nearestRecipeIsTaken() {
  const auto recipeBy = [](const char* target, const char* format) {
    return textBy(target, made("mxfp8", format, format, {})).written.text;
  };
  QVERIFY(hasWords(recipeBy("te-recipe", "mxfp4"), "\"NVFP4BlockScaling\""));
  QVERIFY(hasWords(recipeBy("te-recipe", "mxfp8+even"), "\"MXFP8BlockScaling\"\nFORMAT = \"E4M3\""));
  QVERIFY(hasWords(recipeBy("te-recipe", "mxfp8_e5m2"), "\"MXFP8BlockScaling\"\nFORMAT = \"HYBRID\""));
  QVERIFY(hasWords(recipeBy("torchao", "fp8_current"), "\"float8_tensorwise\"\nPOWER_OF_TWO_SCALES = False"));
  QVERIFY(hasWords(recipeBy("megatron", "fp8_block"), "--fp8-format e4m3\n  --fp8-recipe blockwise\n"));
}

void ScaledTargets::otherProductsAndConvolutionsAreNamed() {
  std::vector<policy::SiteKey> keys = decoder();
  keys.push_back({"conv", "", "aten::conv2d", "", 0});
  for (const char* target : kScaledTargets) {
    const CheckedText text = textBy(target, policy::recipe("nvfp4").value(), keys);
    QVERIFY2(cannotSay(text, "quantizes linear layers only, not aten::conv2d", "conv/aten::conv2d#0"),
             failure(text).c_str());
  }
}

void ScaledTargets::otherTargetsRefuseScaledFormatsByName() {
  const Policy policy = policy::recipe("nvfp4").value();
  for (const targets::Target& target : targets::targets()) {
    const std::string name(target.name);
    const bool people = target.read == nullptr;
    const bool whole = name == "json" || name == "cpp";
    const CheckedText text = targets::checked_text(target, assigned(policy));
    if (people) QVERIFY2(hasWords(text.written.text, "nvfp4"), name.c_str());
    if (people || std::find(std::begin(kScaledTargets), std::end(kScaledTargets), name) != std::end(kScaledTargets)) {
      continue;
    }
    QVERIFY2(text.exact() == whole, name.c_str());
    if (whole) continue;
    QVERIFY2(cannotSay(text, "formats of products", "head/aten::linear#0"), failure(text).c_str());
    QVERIFY2(name == "csv" || hasWords(failure(text), "nvfp4, stochastic rounding, Hadamard transform"), name.c_str());
  }
}

void ScaledTargets::allKindsOfPoliciesAreDeclared() {
  for (const char* target : kScaledTargets) {
    for (const test::NamedPolicy& each : test::policiesOfEveryKind()) {
      const Assignment assignment = test::assigned(each.policy);
      const targets::Target& by = test::targetOf(target);
      QVERIFY2(targets::prove(by, by.write(assignment), assignment).undeclared.empty(), each.name);
    }
  }
}

void ScaledTargets::badFilesAreRefused_data() {
  QTest::addColumn<QByteArray>("target");
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("named");
  const auto row = [](const char* target, const char* text, const char* named) {
    QTest::addRow("%s: %s", target, named) << QByteArray(target) << QByteArray(text) << QByteArray(named);
  };
  row("te-recipe", "FORMAT = \"E4M3\"\n", "RECIPE is missing");
  row("te-recipe", "RECIPE = \"CustomRecipe\"\n", "choose no recipe");
  row("te-recipe", "RECIPE = \"MXFP8BlockScaling\"\nFORMAT = \"E5M2\"\n", "choose no recipe");
  row("te-recipe", "RECIPE = \"DelayedScaling\"\nHIGH_PRECISION_LAYERS = 'head'\n", "HIGH_PRECISION_LAYERS");
  row("torchao", "RECIPE = \"float8_rowwise\"\n", "\"float8_tensorwise\", \"mxfp8\", \"nvfp4\"");
  row("torchtitan", "FQNS = []\n", "CONVERTER is missing");
  row("torchtitan", "CONVERTER = \"Float8LinearConverter\"\n", "choose no recipe");
  row("megatron", "--lr 1\n", "no flag of Megatron's precision");
  row("megatron", "--fp8-format e5m2 --fp8-recipe mxfp8\n", "mxfp8 with the format e5m2");
  row("megatron", "--fp8-format hybrid --first-last-layers-bf16\n", "refused with delayed scaling");
  row("megatron", "--fp4-format e2m1 --first-last-layers-bf16 --num-layers-at-end-in-bf16 -1\n",
      "is not a number of layers");
  row("megatron", "--fp8-format hybrid --fp8-format e4m3\n", "--fp8-format has two values");
}

void ScaledTargets::badFilesAreRefused() {
  QFETCH(QByteArray, target);
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, named);
  const std::string message = refusalOfList(target.constData(), text.toStdString());
  QVERIFY2(hasWords(message, named.toStdString()), message.c_str());
  QVERIFY2(hasWords(message, "list.txt"), message.c_str());
}

BINADE_SUITE(ScaledTargets);
#include "tst_scaled_targets.moc"
