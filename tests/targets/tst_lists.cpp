// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/targets/name_pattern.h"
#include "engine/targets/op_names.h"
#include "engine/targets/proof.h"
#include "engine/targets/yaml_subset.h"
#include "tests/support/suite.h"
#include "tests/targets/assigned.h"
#include "tests/targets/lists.h"

#include <algorithm>
#include <string>

using namespace binade;
using policy::Base;
using policy::Policy;
using policy::SiteRule;
using policy::Treatment;
using targets::Assignment;
using targets::Finding;
using targets::NamePattern;
using targets::Read;
using targets::Written;
using targets::YamlNode;
using test::cannotSay;
using test::mentions;
using test::plainLists;
using test::readBy;
using test::refusalBy;
using test::textBy;

namespace {

SiteRule inFloat32(const char* match) {
  SiteRule rule;
  rule.match = match;
  return rule;
}

targets::Proof proofBy(const char* target, const Policy& policy) {
  const targets::Target& by = test::targetOf(target);
  const Assignment assignment = test::assigned(policy);
  return targets::prove(by, by.write(assignment), assignment);
}

}  // namespace

// Lists of op names, of nodes and of layers in the formats of other programs.
class OpLists : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void valuesThatPythonComputesAreRefused() {
    const std::string level = "LEVEL = 'O1'\n";
    for (const char* list : {"CUSTOM_BLACK_LIST = BASE | {\"matmul_v2\"}\n",
                             "CUSTOM_BLACK_LIST = set()\nCUSTOM_BLACK_LIST |= {\"matmul_v2\"}\n",
                             "CUSTOM_BLACK_LIST = (\n    A + B\n)\n"}) {
      const std::string refusal = refusalBy("paddle", level + list);
      QVERIFY2(mentions(refusal, "CUSTOM_BLACK_LIST is computed"), refusal.c_str());
    }
    // The last value counts, and names that nobody asks for may be anything.
    const std::string list = "CUSTOM_BLACK_LIST = {'matmul_v2'}\n";
    QVERIFY(readBy("paddle", level + "CUSTOM_BLACK_LIST = BASE\n" + list + "MODEL = Net()\n").policy ==
            readBy("paddle", level + list).policy);
  }

  void textsInTripleQuotesAssignNothing() {
    const std::string level = "LEVEL = 'O1'  # don't\n";
    const std::string shown = "CUSTOM_BLACK_LIST = {'matmul_v2'}\n";
    const Policy without = readBy("paddle", level).policy;
    QVERIFY(!(readBy("paddle", level + shown).policy == without));
    for (const char* quotes : {"\"\"\"", "'''"}) {
      const std::string note = quotes + ("An example:\n" + shown) + quotes + "\n" + level + "NOTE = " + quotes + "\n" +
                               shown + "it\\" + quotes + "\n" + shown + quotes + "\n";
      QVERIFY2(readBy("paddle", note).policy == without, note.c_str());
      QVERIFY2(!(readBy("paddle", note + shown).policy == without), note.c_str());
      QVERIFY(mentions(refusalBy("paddle", level + quotes + shown), "has no end"));
    }
  }

  void patternsNameTheBeginningsOfTheirNames() {
    using Texts = std::vector<std::string>;
    const auto of = [](const char* pattern, bool at_start = false) {
      return NamePattern(pattern, "test").beginnings(at_start);
    };
    QCOMPARE(of("^(model\\.)?(a\\.b|c)$"), (Texts{"a.b", "c", "model.a.b", "model.c"}));
    QCOMPARE(of("^(/layers)?/layers\\.0/(Gemm|MatMul)(_\\d+)?$").size(), std::size_t{8});
    QCOMPARE(of("^layers\\.[0-9]+\\.fc"), Texts{"layers."});
    // Elsewhere in the name, or at any place in it, anything may come first.
    for (const char* anywhere : {"fc", "^a|fc", ".*fc", "$", "(^)?fc"}) QCOMPARE(of(anywhere), Texts{""});
    QCOMPARE(of("fc", true), Texts{"fc"});
    QVERIFY(!of("^(ab?)*$").empty());
  }

  void aModelOfManyLayersIsSelectedByName() {
    std::vector<policy::SiteKey> keys;
    Policy policy = test::startingFrom(Base::kCudaAmp, formats::kBFloat16);
    for (int i = 0; i < 300; ++i) {
      keys.push_back({"layers." + std::to_string(i) + ".fc", "", "aten::linear", "", 0});
      policy.sites.push_back(inFloat32(keys.back().name().c_str()));
      policy.sites.back().format = i % 3 == 0 ? formats::kFloat32 : formats::kFloat8E4M3fn;
    }
    const Assignment assignment = test::assigned(policy, keys);
    for (const char* name : {"te", "modelopt"}) {
      const targets::Target& target = test::targetOf(name);
      QVERIFY2(targets::prove(target, target.write(assignment), assignment).undeclared.empty(), name);
    }
    const targets::Target& te = test::targetOf("te");
    const Read read = te.read(
        "a:\n  enabled: True\n  layers:\n    exact_layer_names: [layers.1.fc, model.layers.2.fc, other]\n"
        "  transformer_engine:\n    DisableFP8Layer:\n      enabled: True\n"
        "b:\n  enabled: True\n  layers:\n    layer_name_regex_pattern: '29\\d\\.fc$'\n"
        "  transformer_engine:\n    DisableFP8Layer:\n      enabled: True\n",
        "te.yaml", assignment);
    QCOMPARE(read.policy.sites.size(), keys.size() - 12);
  }

  void theTableNamesEachListOfAProgram() {
    QVERIFY(targets::op_names().size() > 250);
    QCOMPARE(targets::names_in("tf", "aten::matmul"), (std::vector<std::string>{"MatMul", "BatchMatMulV2"}));
    QCOMPARE(targets::names_in("tf", "aten::relu_"), std::vector<std::string>{"Relu"});
    QVERIFY(targets::names_in("tf", "torchvision::nms").empty());
    QCOMPARE(targets::list_of("tf", "Softmax"), std::string_view("infer"));
    QCOMPARE(targets::list_of("paddle", "reduce_sum"), std::string_view("black-fp16"));
    QCOMPARE(targets::list_of("gaudi", "mul"), std::string_view("low"));
    QCOMPARE(targets::list_of("gaudi", "no_op"), std::string_view("none"));
  }

  // The op calls are equal, and the policy is not.
  void theBaseListIsNotInTheFile() {
    Policy policy = test::plainLists();
    policy.base = Base::kCudaAmp;
    policy.low = formats::kFloat16;
    for (const char* name : {"tf", "gaudi", "cann", "paddle", "modelopt"}) {
      const targets::Target& target = test::targetOf(name);
      const auto notesOf = [&](const Policy& written) {
        std::size_t notes = 0;
        for (const Finding& each : target.write(test::assigned(written)).findings) {
          const bool names = mentions(each.message, "it is read back as all-float32 with a change of each op");
          if (names && each.kind == Finding::Kind::kNote) ++notes;
        }
        return notes;
      };
      QCOMPARE(notesOf(policy), std::size_t{1});
      Policy full = policy;
      full.base = Base::kAllFloat32;
      QCOMPARE(notesOf(full), std::size_t{0});
      const Assignment assignment = test::assigned(policy);
      QVERIFY(target.read(target.write(assignment).text, name, assignment).policy.base == Base::kAllFloat32);
    }
  }

  void whatListsCanSayIsReadBackExactly() {
    for (const char* target : {"tf", "paddle", "cann"}) {
      const targets::Proof proof = proofBy(target, plainLists());
      QVERIFY2(proof.exact(), target);
      QCOMPARE(proof.op_calls, test::madeUpModel().size());
    }
  }

  void tensorFlowMovesOpsBetweenItsLists() {
    const std::string text = textBy("tf", plainLists());
    QVERIFY(mentions(text, "\nexport TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_INFERLIST_REMOVE=Softmax\n"));
    QVERIFY(mentions(text, "\nexport TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_DENYLIST_ADD=Softmax\n"));
    QVERIFY(mentions(text, "\nexport TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_ALLOWLIST_ADD=\n"));
    QVERIFY(mentions(text, "# Low format: bfloat16, by the rewrite auto_mixed_precision_onednn_bfloat16"));
  }

  void tensorFlowsVariablesAreReadAsPeopleWriteThem() {
    const Read read = readBy("tf",
                             "#!/bin/sh\n  export TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_DENYLIST_REMOVE=\"Sum,Mean\";\n"
                             "TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_INFERLIST_ADD=Sum,Mean\n"
                             "export TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_WHITELIST_REMOVE=Conv2D\n"
                             "export TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_BLACKLIST_ADD='Conv2D'\n");
    QVERIFY(!read.policy.ops.contains("aten::sum"));  // it follows
    QVERIFY(read.policy.ops.at("aten::conv2d") == policy::OpChange(formats::kFloat32));
    QCOMPARE(read.policy.low, formats::kFloat16);
    QVERIFY(mentions(read.findings.at(0).message, "Mean"));
    const Read level = readBy("tf", "export TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_LEVEL=TENSOR_CORES_ONLY\n");
    QVERIFY(level.policy.ops.at("aten::tanh") == policy::OpChange(formats::kFloat32));
    QVERIFY(level.policy.ops.at("aten::linear") == policy::OpChange(Treatment::kLow));
  }

  void tensorFlowsVariablesAreReadFromPythonAndDockerfiles() {
    const std::string name = "TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_";
    const Policy wanted = readBy("tf", "export " + name + "ALLOWLIST_REMOVE=Conv2D\nexport " + name +
                                           "INFERLIST_REMOVE=Tanh\nexport " + name + "DENYLIST_ADD=Conv2D,Tanh\n")
                              .policy;
    QVERIFY(wanted.ops.at("aten::tanh") == policy::OpChange(formats::kFloat32));
    const std::string python = "import os\nos.environ['" + name + "ALLOWLIST_REMOVE'] = 'Conv2D'\nos.environ['" + name +
                               "INFERLIST_REMOVE'] = 'Tanh'\nos.environ[\"" + name +
                               "DENYLIST_ADD\"]=\"Conv2D,Tanh\"\nos.environ[name] = 'x'\n";
    QVERIFY(readBy("tf", python).policy == wanted);
    const std::string docker = "FROM base\nENV " + name + "ALLOWLIST_REMOVE=Conv2D\nENV " + name +
                               "INFERLIST_REMOVE=Tanh\nENV " + name + "DENYLIST_ADD=\"Conv2D,Tanh\"\n";
    QVERIFY(readBy("tf", docker).policy == wanted);
    const std::string computed = "os.environ['" + name + "DENYLIST_ADD'] = ','.join(names)\n";
    QVERIFY2(mentions(refusalBy("tf", computed), "line 1: a name has characters"), refusalBy("tf", computed).c_str());
  }

  void argumentsOfACallAreReadAsVariables() {
    const std::string variables =
        "LEVEL = 'O2'\nDTYPE = 'bfloat16'\nCUSTOM_BLACK_LIST = {'softmax', 'elementwise_add'}\n";
    const std::string call =
        "import paddle\nlayer = Net(level='O9')  # auto_cast(level='O0')\n"
        "with paddle.amp.auto_cast(\n    custom_black_list={'softmax',  # sums\n    'elementwise_add'},\n"
        "    level = 'O2', dtype=\"bfloat16\"):\n    loss = model(x, level=3)\n";
    QVERIFY(readBy("paddle", call).policy == readBy("paddle", variables).policy);
    // The same call twice is one setting, and a variable at the top level is the last word.
    QVERIFY(readBy("paddle", call + call).policy == readBy("paddle", variables).policy);
    const std::string other = "with auto_cast(level='O1'):\n    pass\n";
    QVERIFY(mentions(refusalBy("paddle", call + other), "calls of auto_cast give level different values"));
    QVERIFY(readBy("paddle", "LEVEL = 'O2'\n" + call + other).policy == readBy("paddle", variables).policy);
    QVERIFY(mentions(refusalBy("paddle", "auto_cast(level='O1', custom_black_list=BASE | {'exp'})\n"),
                     "custom_black_list is computed"));
    QVERIFY(mentions(refusalBy("paddle", "note = \"auto_cast(level='O1')\"\n"), "are missing"));
    QVERIFY(mentions(refusalBy("paddle", "LEVEL = 'O1'\nauto_cast(True, {'exp'})\n"), "arguments without names"));
    QVERIFY(readBy("paddle",
                   "auto_cast(True, level='O2', dtype='bfloat16',\n  custom_black_list={'softmax', "
                   "'elementwise_add'}, **more, )\n")
                .policy == readBy("paddle", variables).policy);

    const Read autocast = readBy("modelopt",
                                 "from modelopt.onnx.autocast import convert_to_mixed_precision\n"
                                 "model = convert_to_mixed_precision(\n    onnx_path='model.onnx', "
                                 "low_precision_type='bf16', op_types_to_exclude=['Softmax'],\n    data_max=512)\n");
    QVERIFY(autocast.policy ==
            readBy("modelopt", "LOW_PRECISION_TYPE = 'bf16'\nOP_TYPES_TO_EXCLUDE = ['Softmax']\n").policy);
    QVERIFY(mentions(autocast.findings.at(0).message, "thresholds"));
    QVERIFY(readBy("lightning", "trainer = L.Trainer(precision=\"bf16-mixed\", max_epochs=3)\n").policy ==
            readBy("lightning", "PRECISION = 'bf16-mixed'\n").policy);
    QVERIFY(readBy("accelerate", "accelerator = Accelerator(mixed_precision='bf16')\n").policy ==
            readBy("accelerate", "MIXED_PRECISION = 'bf16'\n").policy);
  }

  void anOpOnSeveralListsIsRefusedAsTensorFlowRefusesIt() {
    const std::string prefix = "export TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_";
    const std::string deny = prefix + "DENYLIST_ADD=\"MatMul\"\n";
    const std::string refusal = refusalBy("tf", deny);
    QVERIFY2(mentions(refusal, "MatMul is on the allow list and on the deny list"), refusal.c_str());
    try {
      readBy("tf", deny);
      QFAIL("nothing was refused");
    } catch (const Error& error) {
      QVERIFY(mentions(error.hint, "REWRITE_ALLOWLIST_REMOVE=MatMul"));
    }
    QVERIFY(
        mentions(refusalBy("tf", prefix + "INFERLIST_ADD=Foo\n" + prefix + "CLEARLIST_ADD=Foo\n"), "Foo is on the"));
    const Read read = readBy("tf", prefix + "ALLOWLIST_REMOVE=MatMul\n" + deny);
    QVERIFY(read.policy.ops.at("aten::matmul") == policy::OpChange(formats::kFloat32) ||
            read.policy.ops.at("aten::linear") == policy::OpChange(formats::kFloat32));
  }

  void cannListsWhatToAdd() {
    QCOMPARE(textBy("cann", plainLists()),
             std::string(
                 "{\n  \"black-list\": {\n    \"to-add\": [\n      \"ReduceSum\",\n      \"SoftmaxV2\"\n    ]\n  },\n"
                 "  \"white-list\": {\n    \"to-add\": [\n      \"BatchMatMulV2\",\n      \"Conv2D\",\n"
                 "      \"MatMulV2\"\n    ]\n  }\n}\n"));
    // The example of the documentation, with its comments.
    const Read read =
        readBy("cann",
               "{ \"black-list\": { // black\n \"to-remove\": [ \"Relu\" ], \"to-add\": [ \"MatMulV2\" ] },\n"
               "\"white-list\": { \"to-remove\": [\"Conv2D\"], \"to-add\": [\"Tanh\", \"Bias\"] } }");
    QVERIFY(read.policy.ops.at("aten::linear") == policy::OpChange(formats::kFloat32));
    QVERIFY(read.policy.ops.at("aten::tanh") == policy::OpChange(Treatment::kLow));
    QVERIFY(!read.policy.ops.contains("aten::conv2d"));
  }

  void oneNameHasOneTreatment() {
    Policy policy = plainLists();
    policy.sites = {inFloat32("fc/aten::linear#0")};
    for (const char* target : {"tf", "cann", "paddle"}) {  // two other matrix products have the same name there
      const Written written = test::targetOf(target).write(test::assigned(policy));
      QVERIFY2(cannotSay(written, "alike", "fc/aten::linear#0"), target);
      QVERIFY(proofBy(target, policy).undeclared.empty());
    }
    const Written gaudi = test::targetOf("gaudi").write(test::assigned(policy));
    QVERIFY(cannotSay(gaudi, "alike", "cell/aten::linear#0"));  // one against one: the more precise one
  }

  void opsWithoutANameAreNamed() {
    Policy policy = plainLists();
    policy.ops["aten::layer_norm"] = formats::kFloat32;
    const Written written = test::targetOf("tf").write(test::assigned(policy));
    QVERIFY(cannotSay(written, "TensorFlow has no name for aten::layer_norm", "head.norm/aten::layer_norm#0"));
  }

  void autoCastExcludesTypesAndNodes() {
    Policy policy = test::startingFrom(Base::kAllFloat32, formats::kFloat16);
    for (const policy::SiteKey& key : test::madeUpModel()) policy.ops[key.op] = Treatment::kLow;
    policy.ops["aten::softmax"] = formats::kFloat32;
    policy.sites = {inFloat32("fc"), inFloat32("layer1/aten::add#1")};
    const std::string text = textBy("modelopt", policy);
    QVERIFY(mentions(text, "LOW_PRECISION_TYPE = \"fp16\"\nOP_TYPES_TO_EXCLUDE = [\n    \"Softmax\",\n]\n"));
    QVERIFY(mentions(text, "    \"^/layer1/Add_1$\",\n    \"^/fc/(Gemm|MatMul)(_\\\\d+)?$\",\n"));
    QVERIFY(mentions(text, "DATA_MAX = float(\"inf\")"));
    QVERIFY(proofBy("modelopt", policy).exact());
  }

  void autoCastsPatternsAreMatchedAgainstNodeNames() {
    const std::vector<policy::SiteKey> keys{{"layers.0.fc", "", "aten::linear", "", 0},
                                            {"layers.1.fc", "", "aten::linear", "", 0},
                                            {"layers.1", "", "aten::relu", "", 0}};
    const Assignment model = test::assigned(Policy{}, keys);
    const auto high = [&](const std::string& text) {
      const Read read = test::targetOf("modelopt").read(text, "a.py", model);
      const policy::Resolved table = policy::resolve(read.policy, keys, model.table.capabilities, model.places);
      std::string word;
      for (const policy::Decision& each : table.sites) word += each.format == formats::kFloat32 ? 'H' : 'l';
      return word;
    };
    QCOMPARE(high("NODES_TO_EXCLUDE = ['.*fc.*']\n"), std::string("HHl"));
    QCOMPARE(high("NODES_TO_EXCLUDE = [r'/layers.1/']\n"), std::string("lHH"));
    QCOMPARE(high("NODES_TO_EXCLUDE = ['/layers/layers.0/']\n"), std::string("Hll"));  // a called container
    QCOMPARE(high("NODES_TO_EXCLUDE = ['fc']\n"), std::string("lll"));                 // from the start of the name
    QCOMPARE(high("OP_TYPES_TO_EXCLUDE = ['Relu', 'Gemm', 'MatMul']\nNODES_TO_INCLUDE = ['.*0/fc/']\n"),
             std::string("lHH"));
    const Read read = test::targetOf("modelopt").read("NODES_TO_EXCLUDE = []\nDATA_MAX = 512\n", "a.py", model);
    QVERIFY(mentions(read.findings.at(0).message, "thresholds"));
  }

  void layersOfTransformerEngineAreKeptOut() {
    Policy policy = test::startingFrom(Base::kCudaAmp, formats::kBFloat16);
    policy.sites = {inFloat32("fc")};
    policy.sites[0].format = formats::kFloat8E4M3fn;
    QVERIFY(mentions(textBy("te", policy),
                     "kept_in_high_precision:\n  enabled: True\n  layers:\n"
                     "    layer_name_regex_pattern: '^(model\\.)?(cell)$'\n  transformer_engine:\n"
                     "    DisableFP8Layer:\n      enabled: True\n"));
    QVERIFY(proofBy("te", policy).exact());
    policy.sites[0].backward = formats::kBFloat16;
    QVERIFY(mentions(textBy("te", policy), "DisableFP8GEMM:\n      enabled: True\n      gemms: [dgrad, wgrad]\n"));
    QVERIFY(proofBy("te", policy).exact());
    policy.sites.push_back(inFloat32("head"));
    const Written written = test::targetOf("te").write(test::assigned(policy));
    QVERIFY(cannotSay(written, "linear layers only", "head/aten::softmax#0"));
  }

  void manyLayersAreInSeveralSections() {
    std::vector<policy::SiteKey> keys;
    for (int i = 0; i < 100; ++i) {
      keys.push_back({"encoder.layers." + std::to_string(i) + ".linear", "", "aten::linear", "", 0});
    }
    const targets::Target& te = test::targetOf("te");
    const Assignment assignment = test::assigned(test::startingFrom(Base::kCudaAmp, formats::kBFloat16), keys);
    const Written written = te.write(assignment);
    QVERIFY(mentions(written.text, "\nkept_in_high_precision_2:\n"));
    QVERIFY(targets::prove(te, written, assignment).exact());
  }

  void sectionsOfTransformerEngineAreReadAsDocumented() {
    const Read read = readBy("te",
                             "# Disables wgrad and dgrad in fc\nsection1:\n  enabled: True\n  layers:\n"
                             "    layer_types: [fc, layernorm_linear]\n  transformer_engine:\n"
                             "    DisableQuantizationGEMM:\n      enabled: True\n      gemms_struct:\n"
                             "        - gemm: dgrad\n        - gemm: wgrad\n"
                             "    LogTensorStats:\n      enabled: True\n      stats: [min]\n"
                             "section2:\n  enabled: False\n  layers:\n    layer_types: [cell]\n");
    QCOMPARE(read.policy.sites.size(), std::size_t{2});
    QCOMPARE(read.policy.sites[0].match, std::string("cell/aten::linear#0"));  // in 8 bits: its section is off
    QVERIFY(!read.policy.sites[0].backward);
    QVERIFY(read.policy.sites[1].backward == formats::kFloat16);
    QVERIFY(std::any_of(read.findings.begin(), read.findings.end(),
                        [](const Finding& finding) { return mentions(finding.message, "logs and scaling"); }));
    const std::string layer = ":\n  enabled: True\n  layers:\n    layer_types: [fc]\n";
    QVERIFY(mentions(refusalBy("te", "a" + layer + "b" + layer), "in two sections"));
    QVERIFY(mentions(refusalBy("te", "a:\n  enabled: maybe\n"), "line 2: enabled is neither"));
  }

  void hostileTextIsRefusedWithItsPlace_data() {
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const char* target, const char* text, const char* named) {
      QTest::addRow("%s: %s", target, named) << QByteArray(target) << QByteArray(text) << QByteArray(named);
    };
    row("tf", "export PATH=/bin\n", "no variable of automatic mixed precision");
    row("tf", "\nTF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_DENYLIST_ADD=$(rm -r x)\n", "line 2");
    row("tf", "# Low format: float8_e5m2\n", "neither float16 nor bfloat16");
    row("gaudi", "linear\nrm -rf /\n", "line 2: the line is not an op name");
    row("gaudi", "cat > \"a\" <<'END_OF_OPS'\nlinear\nEND_OF_OPS\n", "is set");
    row("gaudi", "cat > \"a\" <<'END_OF_OPS'\nlinear\n", "not closed");
    row("cann", "{\"black-list\": [\"Add\"]}", "black-list is not an object");
    row("cann", "{\"black-list\": {\"add\": []}}", "other than to-add and to-remove");
    row("cann", "{}", "neither a black-list nor a white-list");
    row("paddle", "import os\nos.system('x')\n", "no name is set to a literal");
    row("paddle", "LEVEL = \"O3\"\n", "LEVEL is not a level");
    row("paddle", "LEVEL = \"O1\"\nCUSTOM_WHITE_LIST = \"exp\"\n", "CUSTOM_WHITE_LIST is not a list");
    row("modelopt", "LOW_PRECISION_TYPE = 'int8'\n", "neither fp16 nor bf16");
    row("modelopt", "NODES_TO_EXCLUDE = ['(a']\n", "does not close a group");
    row("modelopt", "NODES_TO_EXCLUDE = ['a{1000000}']\n", "has a count in braces");
    row("te", "a: &x\n  enabled: True\n", "line 1");
    row("te", "- a\n", "a list where a map belongs");
    row("te", "a:\n  enabled: True\n  layers:\n    layer_numbers: [1]\n", "other means");
  }
  void hostileTextIsRefusedWithItsPlace() {
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, named);
    const std::string message = refusalBy(target.constData(), text.toStdString());
    QVERIFY2(mentions(message, named.toStdString()), message.c_str());
    QVERIFY2(mentions(message, "list.txt"), message.c_str());
  }

  void patternsMatchAsPythonsDo() {
    const auto starts = [](const char* pattern, const char* name) { return NamePattern(pattern, "p").starts(name); };
    QVERIFY(starts(".*(fc1|fc2)", "decoder.fc2.x"));
    QVERIFY(!starts("fc", "my.fc"));
    QVERIFY(NamePattern("fc", "p").occurs("my.fc"));
    QVERIFY(starts("^a\\.b$", "a.b") && !starts("^a\\.b$", "axb") && !starts("^a\\.b$", "a.bc"));
    QVERIFY(starts("x_(\\d+)?$", "x_12") && starts("[^a-c]+$", "xyz") && !starts("[^a-c]+$", "xbz"));
    QVERIFY(starts("(?:ab)*c", "ababc") && starts("a|", "zzz"));
    QVERIFY(starts(targets::escaped_pattern("a.b(c)[0]").c_str(), "a.b(c)[0]"));
    const std::string many(500, 'a');  // a backtracking matcher would not come back
    QVERIFY(!NamePattern("(a*)*(a*)*b$", "p").starts(many));
  }

  void yamlIsReadWithLinesAndQuotes() {
    const YamlNode yaml =
        targets::parse_yaml("a: 'it''s'  # remark\nb:\n- x: 1\n  y: [p, \"q, r\"]\n- z\nc: {}\n", "f");
    QCOMPARE(yaml.find("a")->scalar, std::string("it's"));
    const YamlNode& list = *yaml.find("b");
    QCOMPARE(list.items.size(), std::size_t{2});
    QCOMPARE(list.items[0].find("y")->items.at(1).scalar, std::string("q, r"));
    QCOMPARE(list.items[0].find("y")->line, std::size_t{4});
    QVERIFY(yaml.find("c")->kind == YamlNode::Kind::kMap);
    QVERIFY(yaml.find("d") == nullptr);
    for (const char* bad :
         {"a: 1\na: 2\n", "a: |\n  x\n", "a:\n\tb: 1\n", "a: 1\n   b: 2\n", "a: [x\n", "a: 'x\n", ""}) {
      QVERIFY_THROWS_EXCEPTION(Error, targets::parse_yaml(bad, "f"));
    }
  }
};

BINADE_SUITE(OpLists);
#include "tst_lists.moc"
