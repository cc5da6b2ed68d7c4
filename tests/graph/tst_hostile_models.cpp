// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/graph/op_safety.h"
#include "tests/graph/text_model.h"
#include "tests/graph/zip_records.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <QFile>
#include <torch/csrc/jit/runtime/operator.h>

#include <optional>
#include <set>
#include <utility>

using namespace binade;

namespace {

/// One folder for all: each call of temporaryFolder() makes another.
std::string folder() {
  static const std::string made = test::temporaryFolder().toStdString();
  return made;
}
std::string madeFile() {
  return folder() + "/made";
}
std::string modelFile() {
  return folder() + "/hostile.pt";
}

/// What loading the archive throws; nothing where it loads, flattened as well.
std::optional<Error> refusal(const std::string& archive) {
  test::write_bytes(modelFile(), archive);
  try {
    const graph::Model model = graph::Model::load(modelFile());
    const graph::FlatGraph flat(model);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// `count` times the text.
std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// A pickle of module M whose attributes are these pickled names and values.
std::string moduleOf(const std::string& attributes) {
  return "\x80\x02"
         "c__torch__\nM\n)\x81}(" +
         attributes + "ub.";
}
std::string text(const std::string& value) {
  return std::string("X") + static_cast<char>(value.size()) + std::string(3, '\0') + value;
}
/// A float32 tensor over data/0 of `count` elements.
std::string tensorOf(int count, int offset, const std::string& sizes, const std::string& strides) {
  const auto number = [](int value) {
    std::string bytes = "J";
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  };
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text("0") +
         text("cpu") + number(count) + "tQ" + number(offset) + "(" + sizes + "t(" + strides +
         "t\x89"
         "ccollections\nOrderedDict\n)RtR";
}

void expectRefused(const std::string& archive, ErrorCode code, const QString& says) {
  const auto error = refusal(archive);
  QVERIFY2(error.has_value(), "it was loaded");
  const QString message = QString::fromStdString(error->what());
  QVERIFY2(message.contains(says), error->what());
  QCOMPARE(static_cast<int>(error->code), static_cast<int>(code));
  QVERIFY2(message.contains(QStringLiteral("hostile.pt")), error->what());
  QVERIFY(!error->hint.empty());
}

}  // namespace

class HostileModels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anHonestModelLoads() {
    const auto error = refusal(test::model_with("    return torch.mul(x, 2)\n").archive());
    QVERIFY2(!error, error ? error->what() : "");
  }

  void codeThatWouldRunOnLoadingIsRefused_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    const QString save = QStringLiteral("torch.save(1, \"%1\")").arg(QString::fromStdString(madeFile()));
    const auto row = [](const char* name, const QString& code, const char* says) {
      QTest::newRow(name) << code << QString::fromUtf8(says);
    };
    const QString head = QStringLiteral("class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n");
    const QString forward = QStringLiteral("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return x\n");
    const QString state = QStringLiteral("(self: __torch__.M, state: Any) -> NoneType:\n    _0 = ") + save +
                          QStringLiteral("\n    return None\n");
    row("__setstate__", head + forward + QStringLiteral("  def __setstate__") + state, "__setstate__");
    row("two spaces", head + forward + QStringLiteral("  def  __setstate__ ") + state, "__setstate__");
    row("a line continued", head + forward + QStringLiteral("  def \\\n  __setstate__") + state, "__setstate__");
    row("a default value",
        head + QStringLiteral("  def forward(self: __torch__.M, x: Tensor, y: NoneType=") + save +
            QStringLiteral(") -> Tensor:\n    return x\n"),
        "default value of y");
    row("a default value of a function",
        head + forward + QStringLiteral("def f(y: NoneType=") + save + QStringLiteral(") -> int:\n  return 1\n"),
        "default value of y");
    row("a default value that adds",
        head + QStringLiteral("  def forward(self: __torch__.M, x: Tensor, y: int=1 + 2) -> Tensor:\n    return x\n"),
        "default value of y");
    row("an attribute", head + QStringLiteral("  k : Final[NoneType] = ") + save + u'\n' + forward, "attribute k");
    row("a named tuple's default",
        head + forward + QStringLiteral("class P(NamedTuple):\n  a : NoneType = ") + save + u'\n', "attribute a");
    row("a custom class", head + QStringLiteral("  p : __torch__.torch.classes.rnn.CellParamsBase\n") + forward,
        "custom C++ class");
  }
  void codeThatWouldRunOnLoadingIsRefused() {
    QFETCH(QString, code);
    QFETCH(QString, says);
    expectRefused(test::TextModel{.code = code.toStdString()}.archive(), ErrorCode::kUnsafe, says);
    QVERIFY(!QFile::exists(QString::fromStdString(madeFile())));
  }

  void literalsAreNotCode() {
    const std::string code =
        "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  __annotations__ = []\n"
        "  __annotations__[\"0\"] = Tensor\n"
        "  k : Final[int] = 3\n  l : Final[List[int]] = [1, -2]\n  e : Final[float] = -2.5\n"
        "  def forward(self: __torch__.M, x: Tensor, a: int=-1, b: Optional[Tensor]=None, c: str=\"x\", "
        "d: bool=True) -> Tensor:\n    return x\n";
    const auto error = refusal(test::TextModel{
        .code = code, .data = moduleOf(text("0") + tensorOf(1, 0, "K\x01", "K\x01")), .tensor = std::string(4, '\0')}
                                   .archive());
    QVERIFY2(!error, error ? error->what() : "");
  }

  void dangerousOpsAreRefusedHoweverTheyAreWritten_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* body, const char* more, const char* says) {
      QTest::newRow(name) << QString::fromUtf8(body) << QString::fromUtf8(more) << QString::fromUtf8(says);
    };
    const char* const back = "    return x\n";
    const auto with = [&](const char* line) { return std::string("    ") + line + "\n" + back; };
    row("a space", with("_0 = torch.save (x, \"made\")").c_str(), "", "aten::save");
    row("by its namespace", with("_0 = ops.aten.save(x, \"made\")").c_str(), "", "aten::save");
    row("by another name", with("f = torch\n    _0 = f.save(x, \"made\")").c_str(), "", "aten::save");
    row("a mapped file", with("x = torch.from_file(\"made\", True, 4)").c_str(), "", "aten::from_file");
    row("in a function", with("_0 = __torch__.f(x)").c_str(),
        "def f(x: Tensor) -> NoneType:\n  _0 = torch.save(x, \"made\")\n  return None\n", "aten::save");
    row("in a branch", with("if bool(x):\n      _0 = torch.save(x, \"made\")").c_str(), "", "aten::save");
    row("in a function that is forked", with("_0 = fork(__torch__.f, x)").c_str(),
        "def f(x: Tensor) -> NoneType:\n  _0 = torch.save(x, \"made\")\n  return None\n", "aten::save");
    row("in a method that nobody calls", back,
        "  def other(self: __torch__.M, x: Tensor) -> Tensor:\n    _0 = torch.save(x, \"made\")\n    return x\n",
        "aten::save");
    row("in a class made in forward", with("o = __torch__.C.__new__(__torch__.C)\n    _0 = (o).__init__(x, )").c_str(),
        "class C:\n  def __init__(self: __torch__.C, x: Tensor) -> NoneType:\n    _0 = torch.save(x, \"made\")\n"
        "    return None\n",
        "aten::save");
    row("sparse, unchecked",
        with("x = torch._sparse_coo_tensor_unsafe(torch.mul(torch.ones([1, 1], dtype=4), 1000000), x, [2])").c_str(),
        "", "without checking");
    row("a view, unchecked", with("x = ops.aten._reshape_alias(x, [1000000], [1])").c_str(), "", "without checking");
    row("unchecked indices",
        with("x = ops.aten._unsafe_index(x, annotate(List[Optional[Tensor]], [torch.ones([1], dtype=4)]))").c_str(), "",
        "without checking");
    row("an op that checks no sizes", with("x = ops.aten._stack([], 0)").c_str(), "", "without checking");
    row("another tensor's memory", with("y = ops.aten.set_(x, torch.ones([3]))").c_str(), "", "without checking");
    row("a convolution that checks no sizes", with("x = torch._nnpack_spatial_convolution(x, x, None, [0])").c_str(),
        "", "without checking");
    row("a kernel of backward",
        with("x = (torch.native_layer_norm_backward(x, x, [3], x, x, None, None, [True, True, "
             "True]))[0]")
            .c_str(),
        "", "without checking");
    row("an op of the optimiser", with("x = unchecked_cast(Tensor, ops.prim.AutogradAdd(x, x))").c_str(), "",
        "optimiser");
    row("one class for another",
        with("a = annotate(Any, x)\n    y = unchecked_cast(__torch__.C, a)\n    x = y.b").c_str(),
        "class C:\n  a : Tensor\n  b : Tensor\n", "without asking isinstance");
    row("one tuple for another",
        with("a = annotate(Any, x)\n    y = unchecked_cast(Tuple[Tensor, Tensor], a)\n    p, q, = y\n    x = q")
            .c_str(),
        "", "without asking isinstance");
  }
  void dangerousOpsAreRefusedHoweverTheyAreWritten() {
    QFETCH(QString, body);
    QFETCH(QString, more);
    QFETCH(QString, says);
    expectRefused(test::model_with(body.toStdString(), more.toStdString()).archive(), ErrorCode::kUnsafe, says);
  }

  void aRefinedTypeIsNoDanger() {
    const char* const body =
        "    a = annotate(Any, x)\n    if isinstance(a, Tuple[Tensor, Tensor]):\n"
        "      y = unchecked_cast(Tuple[Tensor, Tensor], a)\n      x = (y)[0]\n    else:\n      x = x\n"
        "    b = annotate(Optional[Tuple[Tensor, Tensor]], None)\n    if torch.__is__(b, None):\n      x0 = x\n"
        "    else:\n      c = unchecked_cast(Tuple[Tensor, Tensor], b)\n      x0 = (c)[1]\n    return x0\n";
    const auto error = refusal(test::model_with(body).archive());
    QVERIFY2(!error, error ? error->what() : "");
  }

  void anInterfaceHidesNothing() {
    const std::string code =
        "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  s : __torch__.I\n"
        "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    s = self.s\n    return (s).run(x, )\n"
        "class I(ModuleInterface):\n  def run(self, x: Tensor) -> Tensor:\n    pass\n"
        "class S(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
        "  def run(self: __torch__.S, x: Tensor) -> Tensor:\n    _0 = torch.save(x, \"made\")\n    return x\n";
    const std::string data = moduleOf(text("s") + "c__torch__\nS\n)\x81}b");
    expectRefused(test::TextModel{.code = code, .data = data}.archive(), ErrorCode::kUnsafe,
                  QStringLiteral("aten::save"));
  }

  void picklesThatLieAreRefused_data() {
    QTest::addColumn<QByteArray>("attribute");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& attribute, const char* type, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(attribute) << QString::fromUtf8(type) << QString::fromUtf8(says);
    };
    row("beyond its storage", tensorOf(4, 0, "K\x05", "K\x01"), "Tensor", "does not fit its storage");
    row("behind its storage", tensorOf(4, 4, "K\x01", "K\x01"), "Tensor", "does not fit its storage");
    row("before its storage", tensorOf(4, -1, "K\x01", "K\x01"), "Tensor", "does not fit its storage");
    row("a stride too far", tensorOf(4, 0, "K\x02", "K\x09"), "Tensor", "does not fit its storage");
    row("sizes that overflow",
        tensorOf(4, 0,
                 "\x8a\x08" + std::string("\0\0\0\0\0\0\0\x40", 8) + "\x8a\x08" + std::string("\0\0\0\0\0\0\0\x40", 8),
                 "K\x04K\x04"),
        "Tensor", "does not fit its storage");
    row("more than the record", tensorOf(1000, 0, "K\x01", "K\x01"), "Tensor", "should have 4000 bytes, and has 16");
    row("a number for a tensor", "K\x01", "Tensor", "Tensor is declared, and an int is there");
    row("a tensor for a number", tensorOf(4, 0, "K\x04", "K\x01"), "int", "int is declared");
    row("a shorter tuple", "K\x01\x85", "Tuple[int, int]", "Tuple[int, int] is declared");
    row("another element",
        "](K\x01"
        "Ne",
        "List[int]", "None is there");
    row("another class", "c__torch__\nB\n)\x81}b", "__torch__.C",
        "__torch__.C is declared, and a __torch__.B is there");
    row("no such class", "c__torch__\nZ\n)\x81}b", "__torch__.C", "Z");
    row("a name of Python", "cos\nsystem\n(" + text("true") + "tR", "Any", "os.system is not read");
    row("a list that holds itself",
        "]q\x01(h\x01"
        "e",
        "List[Any]", "holds itself");
    row("lists without end", times(2000, "](") + times(2000, "e"), "Any", "nest without end");
    row("an object without a state", "c__torch__\nB\n)\x81", "__torch__.B", "not a dict");
  }
  void picklesThatLieAreRefused() {
    QFETCH(QByteArray, attribute);
    QFETCH(QString, type);
    QFETCH(QString, says);
    const std::string code =
        "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  a : " + type.toStdString() +
        "\n  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return x\n"
        "class B:\n  z : int\nclass C:\n  a : Tensor\n  b : Tensor\n";
    expectRefused(
        test::TextModel{
            .code = code, .data = moduleOf(text("a") + attribute.toStdString()), .tensor = std::string(16, '\0')}
            .archive(),
        ErrorCode::kBadFile, says);
  }

  void codeWithManyEmptyLinesInAllIsRead() {
    const std::string lines = times(9'000, "\n");
    const auto function = [&](const char* name) {
      return lines + "def " + name + "(x: Tensor) -> Tensor:\n  return x\n" + lines.substr(0, 1'000);
    };
    const auto refused = refusal(test::model_with("    return x\n", function("f") + function("g")).archive());
    QVERIFY2(!refused, refused ? refused->what() : "");
  }

  void codeThatNestsWithoutEndIsRefused_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& body, const std::string& more, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(test::model_with(body, more).code) << QString::fromUtf8(says);
    };
    row("brackets", "    return " + times(100'000, "(") + "x" + times(100'000, ")") + "\n", "", "nest deeper");
    row("operators", "    return x" + times(100'000, " + x") + "\n", "", "nest deeper");
    row("minus", "    return " + times(100'000, "-") + "x\n", "", "nest deeper");
    row("attributes", "    return x" + times(100'000, ".T") + "\n", "", "nest deeper");
    row("a type", "    a = annotate(" + times(50'000, "List[") + "int" + times(50'000, "]") + ", [])\n    return x\n",
        "", "nest deeper");
    for (const auto& [name, line] : {std::pair("empty lines", "\n"), std::pair("blank lines", "  \t\n"),
                                     std::pair("comments", "  # no code\n"), std::pair("backslashes", "\\\n")}) {
      row(name, "    return x\n", times(10'001, line), "more than 10000 lines without code in a row");
    }
    std::string blocks;
    std::string elifs = "    if True:\n      pass\n";
    for (int i = 0; i < 1'000; ++i) blocks += std::string(4 + i, ' ') + "if True:\n";
    elifs += times(50'000, "    elif True:\n      pass\n");
    row("blocks", blocks + std::string(1'004, ' ') + "pass\n    return x\n", "", "nest deeper");
    row("elif", elifs + "    return x\n", "", "nest deeper");
    std::string chain;
    std::string doubling;
    for (int i = 0; i < 3'000; ++i) {
      const std::string next = i == 2'999 ? "x" : "__torch__.f" + std::to_string(i + 1) + "(x, )";
      chain += "def f" + std::to_string(i) + "(x: Tensor) -> Tensor:\n  return " + next + "\n";
    }
    for (int i = 0; i < 60; ++i) {
      const std::string next = i == 59 ? "x" : "__torch__.f" + std::to_string(i + 1) + "(x, )";
      doubling += "def f" + std::to_string(i) + "(x: Tensor) -> Tensor:\n  y = " + next + "\n  return torch.add(y, " +
                  next + ")\n";
    }
    row("calls", "    return __torch__.f0(x, )\n", chain, "nest deeper");
    row("calls that double", "    return __torch__.f0(x, )\n", doubling, "op calls");
  }
  void codeThatNestsWithoutEndIsRefused() {
    QFETCH(QByteArray, code);
    QFETCH(QString, says);
    expectRefused(test::TextModel{.code = code.toStdString()}.archive(), ErrorCode::kBadFile, says);
  }

  void archivesBeyondTheLimitsAreRefused() {
    auto records = [] {
      test::write_bytes(modelFile(), test::model_with("    return x\n").archive());
      return test::read_zip(modelFile());
    }();
    auto bomb = records;
    bomb.push_back({"m/data/9", std::string(std::size_t{100} << 20, '\0'), true});
    expectRefused(test::zip_of(bomb), ErrorCode::kBadFile, QStringLiteral("would unpack to more than 100 times"));
    QVERIFY(refusal(test::zip_of(bomb))->hint.find("torch.jit.save does not pack") != std::string::npos);
    auto legacy = records;
    legacy.push_back({"m/model.json", "{}"});
    expectRefused(test::zip_of(legacy), ErrorCode::kBadFile, QStringLiteral("before PyTorch 1.3"));
    auto twice = records;
    twice.push_back(twice.front());
    expectRefused(test::zip_of(twice), ErrorCode::kBadFile, QStringLiteral("m/data.pkl twice"));
  }

  void aTextOfALossIsRefusedForTheSame() {
    const auto refused = [](const std::string& text) {
      try {
        graph::FlatGraph::from_text(text, "loss", "loss.1", 0);
      } catch (const Error& error) {
        return QString::fromStdString(error.what());
      }
      return QString();
    };
    const std::string save = "torch.save(1, \"" + madeFile() + "\")";
    QVERIFY(refused("def loss(x: Tensor, y: Optional[int]=" + save + ") -> Tensor:\n    return x\n")
                .contains(QStringLiteral("default value of y")));
    QVERIFY(refused("def loss(x: Tensor) -> Tensor:\n    " + save + "\n    return x\n")
                .contains(QStringLiteral("aten::save")));
    QVERIFY(
        refused("def loss(x: Tensor) -> Tensor:\n    return " + times(50'000, "(") + "x" + times(50'000, ")") + "\n")
            .contains(QStringLiteral("nest deeper")));
    QVERIFY(!QFile::exists(QString::fromStdString(madeFile())));
  }

  void everyOpOfLibTorchIsClassified() {
    std::set<std::string> known;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) known.insert(name.name);
    for (const auto& op : torch::jit::getAllOperators()) known.insert(op->schema().name());
    QStringList missing;
    for (const std::string& name : known) {
      if (name.starts_with("binade::")) continue;  // ours
      if (graph::safety_of(name) == graph::OpSafety::kUnknown) missing << QString::fromStdString(name);
    }
    QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("not in op_safety.csv: ") + missing.join(u' ')));
    QStringList gone;
    for (const graph::OpSafetyRow& row : graph::op_safety_rows()) {
      if (!known.contains(std::string(row.op))) gone << QString::fromStdString(std::string(row.op));
    }
    QVERIFY2(gone.isEmpty(), qPrintable(QStringLiteral("no op of LibTorch: ") + gone.join(u' ')));
    QVERIFY(graph::op_safety_rows().size() > 2000);
  }
};

BINADE_SUITE(HostileModels);
#include "tst_hostile_models.moc"
