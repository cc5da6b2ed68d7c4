// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/notifications.h"
#include "tests/support/suite.h"
#include "tests/tree/checks.h"
#include "tests/tree/dangling.h"
#include "tests/tree/layers.h"
#include "tests/tree/prose.h"
#include "tests/tree/source_tree.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace binade::test {

using Check = QStringList (*)(const QString& path, const QString& text);

/// Applies the rules of docs/architecture.md to the whole tree, and shows that each rule finds its violations.
class Rules : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyFileKeeps_data();
  void everyFileKeeps();
  void aBrokenRuleIsFound_data();
  void aBrokenRuleIsFound();
  void keptRulesAreNotReported_data();
  void keptRulesAreNotReported();
  void everyFolderWithSourcesIsALayer();
  void theExplorerAloneHasTheFoldersThatItUses();
  void theCompilerSeesNoLibTorchAndNoQtWhereTheyMayNotBe();
  void semiInternalHeadersStayInFewFiles();
  void notificationsAreDispatchedByOneTable();
  void readersOfTextStillReadSome();
  void everySuiteIsATest();
};

namespace {

const QList<std::pair<QString, Check>>& checks() {
  static const QList<std::pair<QString, Check>> all = {
      {u"the layers of includes"_s, checkIncludes},         {u"one folder, one target"_s, checkTargets},
      {u"licence and include guard"_s, checkHeading},       {u"no Qt keywords"_s, checkQtKeywords},
      {u"no machine paths"_s, checkMachinePaths},           {u"short files"_s, checkLength},
      {u"nothing refers to what is gone"_s, checkDangling}, {u"nothing shown reads prose"_s, checkReadsNoProse},
      {u"the wire holds facts"_s, checkWireHoldsFacts},     {u"systems of the explorer"_s, checkSystemHeaders},
      {u"warnings fail in every suite"_s, checkSuites},
  };
  return all;
}

QStringList allFindings(const QString& path, const QString& text) {
  QStringList found;
  for (const auto& [name, check] : checks()) found << check(path, text);
  return found;
}

const QString kHeader = u"// SPDX-License-Identifier: Apache-2.0\n#pragma once\n"_s;
const QString kSource = u"// SPDX-License-Identifier: Apache-2.0\n"_s;
const QString kCMake = u"# SPDX-License-Identifier: Apache-2.0\n"_s;

}  // namespace

void Rules::everyFileKeeps_data() {
  QTest::addColumn<int>("rule");
  for (int i = 0; i < checks().size(); ++i) QTest::newRow(qPrintable(checks()[i].first)) << i;
}

void Rules::everyFileKeeps() {
  QFETCH(int, rule);
  QVERIFY2(sourceTree().size() > 20, "the tree was not found");
  QStringList wrong;
  for (const auto& [path, text] : sourceTree().asKeyValueRange()) wrong << checks()[rule].second(path, text);
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void Rules::aBrokenRuleIsFound_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("text");
  QTest::newRow("Qt in the engine") << u"engine/graph/a.h"_s << kHeader + u"#include <QString>\n"_s;
  QTest::newRow("a suite without warnings")
      << u"tests/views/tst_a.cpp"_s << kSource + u"\n  void init() {\n    a();\n"_s;
  QTest::newRow("a Qt module in the profiler") << u"profiler/a.cpp"_s << kSource + u"#include <QtCore/qglobal.h>\n"_s;
  QTest::newRow("LibTorch in a plain folder") << u"engine/wire/a.cpp"_s << kSource + u"#include <ATen/ATen.h>\n"_s;
  QTest::newRow("LibTorch in the explorer") << u"app/docks/a.cpp"_s << kSource + u"#include <torch/script.h>\n"_s;
  QTest::newRow("views know no engine") << u"views/a.cpp"_s << kSource + u"#include \"engine/wire/records.h\"\n"_s;
  QTest::newRow("app knows no graph") << u"app/docks/a.cpp"_s << kSource + u"#include \"engine/graph/site.h\"\n"_s;
  QTest::newRow("a widget in what is presented") << u"app/present/a.h"_s << kHeader + u"#include <QLabel>\n"_s;
  QTest::newRow("the module of widgets") << u"app/session/a.cpp"_s << kSource + u"#include <QtWidgets/QMenu>\n"_s;
  QTest::newRow("a view in the run model") << u"app/model/a.cpp"_s << kSource + u"#include \"views/theme.h\"\n"_s;
  QTest::newRow("words in the run model")
      << u"app/model/a.h"_s << kHeader + u"#include \"app/present/site_text.h\"\n"_s;
  QTest::newRow("docks know no window") << u"app/docks/a.h"_s << kHeader + u"#include \"app/window/actions.h\"\n"_s;
  QTest::newRow("what is served prints nothing")
      << u"engine/host/serve/a.h"_s << kHeader + u"#include \"engine/host/print/text_table.h\"\n"_s;
  QTest::newRow("commands know no main") << u"engine/host/commands/a.cpp"_s
                                         << kSource + u"#include \"engine/host/usage_error.h\"\n"_s;
  QTest::newRow("Linux in the explorer") << u"views/a.cpp"_s << kSource + u"#include <sys/prctl.h>\n"_s;
  QTest::newRow("Linux in a plain folder of the explorer")
      << u"engine/scaled/a.cpp"_s << kSource + u"#include <sys/prctl.h>\n"_s;
  QTest::newRow("a call of Linux in the explorer")
      << u"views/values/a.cpp"_s << kSource + u"int f() { return open(\".\", O_TMPFILE); }\n"_s;
  QTest::newRow("the program's file in the explorer")
      << u"app/window/a.cpp"_s << kSource + u"const char* const own = \"/proc/self/exe\";\n"_s;
  QTest::newRow("upwards") << u"engine/formats/a.h"_s << kHeader + u"#include \"engine/policy/policy.h\"\n"_s;
  QTest::newRow("sideways") << u"engine/scaler/a.h"_s << kHeader + u"#include \"engine/graph/site.h\"\n"_s;
  QTest::newRow("test code in the product") << u"engine/train/a.cpp"_s << kSource + u"#include \"tests/a.h\"\n"_s;
  QTest::newRow("not from the root") << u"engine/train/a.cpp"_s << kSource + u"#include \"a.h\"\n"_s;
  QTest::newRow("no licence") << u"views/a.cpp"_s << u"#include <vector>\n"_s;
  QTest::newRow("a script without licence") << u"dev"_s << u"#!/usr/bin/env bash\necho\n"_s;
  QTest::newRow("no guard") << u"views/a.h"_s << kSource + u"int a();\n"_s;
  QTest::newRow("signals:") << u"app/docks/a.h"_s << kHeader + u" signals:\n"_s;
  QTest::newRow("public slots:") << u"app/docks/a.h"_s << kHeader + u" public slots:\n"_s;
  QTest::newRow("emit") << u"app/docks/a.cpp"_s << kSource + u"void f() { emit changed(); }\n"_s;
  QTest::newRow("a scratch folder") << u"docs/a.md"_s << u"see /"_s + u"tmp/x\n"_s;
  QTest::newRow("a home folder") << u"packaging/a"_s << u"PATH=\"/"_s + u"home/me/bin\"\n"_s;
  QTest::newRow("a fact read from a sentence")
      << u"app/present/a.cpp"_s << kSource + u"bool f(const QString& s) { return s.startsWith(u\"The loss\"); }\n"_s;
  QTest::newRow("a part of a sentence") << u"app/docks/a.cpp"_s
                                        << kSource +
                                               u"QString f(const QString& s) { return s.section(u'.', 0, 0); }\n"_s;
  QTest::newRow("a sentence on the wire")
      << u"engine/wire/a.h"_s << kHeader + u"struct A {\n  std::string sentence;\n};\n"_s;
  QTest::newRow("a long file") << u"app/docks/a.cpp"_s << kSource + u"\n"_s.repeated(500);
  QTest::newRow("a library of another name") << u"views/CMakeLists.txt"_s << kCMake + u"binade_library(plots QT)\n"_s;
  QTest::newRow("two libraries in a folder")
      << u"views/CMakeLists.txt"_s << kCMake + u"binade_library(views)\nbinade_library(plots)\n"_s;
  QTest::newRow("a program in a library's folder")
      << u"views/CMakeLists.txt"_s << kCMake + u"binade_library(views)\nadd_executable(show)\n"_s;
  QTest::newRow("views link the wire") << u"views/CMakeLists.txt"_s
                                       << kCMake + u"binade_library(views PUBLIC Binade::wire)\n"_s;
  QTest::newRow("what is presented links widgets")
      << u"app/present/CMakeLists.txt"_s << kCMake + u"binade_library(app_present QT PUBLIC Binade::app_model)\n"_s;
  QTest::newRow("what is presented links views")
      << u"app/present/CMakeLists.txt"_s << kCMake + u"binade_library(app_present QT_GUI PUBLIC Binade::views)\n"_s;
  QTest::newRow("a library named without its part")
      << u"app/model/CMakeLists.txt"_s << kCMake + u"binade_library(model QT_GUI)\n"_s;
  const auto source = [](const char* name, const QString& code) {
    QTest::newRow(name) << u"engine/train/a.cpp"_s << kSource + code;
  };
  // The original fault in engine/batches/preview.cpp, which crashed the engine.
  source("a loop over a part of what is gone",
         u"  for (const std::string& file : files) {\n"
         "    for (const std::string& name : open_arrays(file)->names()) all.arrays.push_back({file, name});\n  }\n"_s);
  const QString made = u"std::vector<Row> made_rows();\nstd::optional<Row> maybe_row();\nstd::string made_text();\n"_s;
  source("a loop over a member of an element", made + u"void f() { for (int i : made_rows().at(0).all) g(i); }\n"_s);
  source("a loop over what a temporary holds", made + u"void f() { for (int i : *maybe_row()) g(i); }\n"_s);
  source("a loop over its value", made + u"void f() { for (int i : maybe_row().value()) g(i); }\n"_s);
  source("a reference to an element", made + u"void f() { const auto& row = made_rows().at(3); }\n"_s);
  source("a reference behind an arrow", made + u"void f() { const auto& all = maybe_row()->all; }\n"_s);
  source("a view of a new text", made + u"void f() { const std::string_view text = made_text(); }\n"_s);
  source("a view of a path", u"void f() { std::string_view name(path.filename().string()); }\n"_s);
  source("a C string of a new text", made + u"void f() { const char* text = made_text().c_str(); }\n"_s);
  QTest::newRow("the wire links LibTorch")
      << u"engine/wire/CMakeLists.txt"_s << kCMake + u"binade_library(wire PUBLIC torch::cpu)\n"_s;
}

void Rules::aBrokenRuleIsFound() {
  QFETCH(QString, path);
  QFETCH(QString, text);
  QCOMPARE(allFindings(path, text).size(), 1);
}

void Rules::keptRulesAreNotReported_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("text");
  QTest::newRow("the row and what it names")
      << u"engine/train/a.h"_s
      << kHeader +
             u"#include <torch/torch.h>\n#include \"engine/formats/format.h\"\n#include \"engine/graph/site.h\"\n"_s;
  QTest::newRow("the explorer's share of the engine")
      << u"app/docks/a.cpp"_s
      << kSource + u"#include \"engine/record/reader.h\"\n#include <QWidget>\n#include \"a.moc\"\n"_s;
  QTest::newRow("Linux where its name says so")
      << u"engine/confine/a_linux.cpp"_s << kSource + u"#include <linux/fs.h>\n#include <sys/prctl.h>\n"_s;
  QTest::newRow("a suite with warnings") << u"tests/views/tst_a.cpp"_s
                                         << kSource + u"\n  void init() {\n    failOnWarnings();\n    a();\n"_s;
  QTest::newRow("POSIX in the explorer") << u"views/a.cpp"_s << kSource + u"#include <unistd.h>\n"_s;
  QTest::newRow("Qt without widgets")
      << u"app/present/a.cpp"_s
      << kSource +
             u"#include \"app/model/run_model.h\"\n#include \"views/values/numbers.h\"\n"
             "#include <QAbstractTableModel>\n#include <QPainter>\n"_s;
  QTest::newRow("a program without a library")
      << u"engine/host/CMakeLists.txt"_s
      << kCMake +
             u"add_executable(binade-engine main.cpp)\ntarget_link_libraries(binade-engine Binade::host_serve)\n"_s;
  QTest::newRow("keywords in prose")
      << u"app/docks/a.cpp"_s
      << kSource + u"// emit it\nauto s = \"slots: emit a\";\nQ_EMIT done();\nint signals_seen;\n"_s;
  QTest::newRow("a name that ends like a machine path")
      << u"docs/a.md"_s << u"views/"_s + u"home, $HOME, ~/work, run/tmp\n"_s;
  QTest::newRow("parts of what stays")
      << u"engine/train/a.cpp"_s
      << kSource +
             u"std::vector<Row> made_rows();\nRow made_row();\nconst std::vector<Row>& kept_rows();\n"
             "void f() {\n  for (const Row& row : made_rows()) g(row);\n  for (int i : made_row().all) g(i);\n"
             "  for (const Row& row : kept_rows().front().rows) g(row);\n  const auto& all = made_row().all;\n"
             "  const Row row = made_rows().front();\n  const std::string_view text = kept_rows().front().text;\n}\n"_s;
  QTest::newRow("a program beside its library")
      << u"app/window/CMakeLists.txt"_s
      << kCMake +
             u"binade_library(app_window PUBLIC Binade::app_docks Binade::wire QT)\nadd_executable(binade main.cpp)\n"_s;
}

void Rules::keptRulesAreNotReported() {
  QFETCH(QString, path);
  QFETCH(QString, text);
  const QStringList found = allFindings(path, text);
  QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

void Rules::everyFolderWithSourcesIsALayer() {
  QVERIFY(sourceTree().size() > 100);
  for (const QString& path : sourceTree().keys()) {
    if (!isSource(path) || path.startsWith(u"tests/") || path.startsWith(u"examples/")) continue;
    if (path.startsWith(u"cmake/")) continue;
    const Layer* layer = layerOf(path);
    QVERIFY2(layer, qPrintable(path + u" is in no row of tests/tree/layers.cpp"_s));
    QVERIFY2(sourceTree().contains(layer->folder + u"/CMakeLists.txt"_s),
             qPrintable(layer->folder + u" has no target"_s));
  }
}

/// The list of -DBINADE_ENGINE=OFF in the root's CMakeLists.txt, beside the table of layers.
void Rules::theExplorerAloneHasTheFoldersThatItUses() {
  static const QRegularExpression list(u"\\(engine/\\(([a-z_|]+)\\)\\|views\\|app\\)"_s);
  const auto match = list.match(sourceTree().value(u"CMakeLists.txt"_s));
  QVERIFY2(match.hasMatch(), "CMakeLists.txt has no list of the explorer's folders");
  QStringList built = match.captured(1).split(u'|');
  QStringList used;
  for (const Layer& layer : layers()) {
    if (!isOfExplorer(layer)) continue;
    QVERIFY2(!layer.torch, qPrintable(layer.folder + u" needs LibTorch"_s));
    if (layer.folder.startsWith(u"engine/"_s)) used << layer.folder.mid(7);
  }
  built.sort();
  used.sort();
  QCOMPARE(built, used);
}

void Rules::theCompilerSeesNoLibTorchAndNoQtWhereTheyMayNotBe() {
  const auto commands = compileCommands();
  QVERIFY(commands.size() > 10);
  // Includes sources that are compiled as part of a batch. Those for systems other than Linux are not compiled here.
  for (const QString& path : sourceTree().keys()) {
    if (path.endsWith(u"_elsewhere.cpp")) continue;
    if (path.endsWith(u".cpp") && path.startsWith(u"engine/")) QVERIFY2(commands.contains(path), qPrintable(path));
  }
  for (const auto& [path, command] : commands.asKeyValueRange()) {
    const Layer* layer = layerOf(path);
    if (!layer) continue;
    QVERIFY2(layer->torch || !command.contains(u"torch/csrc/api/include"_s),
             qPrintable(path + u" is given LibTorch"_s));
    QVERIFY2(layer->qt || !command.contains(u"QT_CORE_LIB"_s), qPrintable(path + u" is given Qt"_s));
    QVERIFY2(layer->widgets || !command.contains(u"QT_WIDGETS_LIB"_s), qPrintable(path + u" is given Qt's widgets"_s));
    QVERIFY2(!layer->qt || command.contains(u"QT_NO_KEYWORDS"_s), qPrintable(path + u" has Qt's keywords on"_s));
  }
}

void Rules::semiInternalHeadersStayInFewFiles() {
  QVERIFY(includesInternals(u"#include <torch/csrc/jit/passes/inliner.h>\n"_s));
  QVERIFY(!includesInternals(u"#include <torch/csrc/jit/api/module.h>\n"_s));
  QMap<QString, QStringList> files;
  for (const auto& [path, text] : sourceTree().asKeyValueRange()) {
    const Layer* layer = layerOf(path);
    if (layer && layer->folder != u"engine/graph"_s && includesInternals(text)) files[layer->folder] << path;
  }
  for (const auto& [folder, paths] : files.asKeyValueRange()) {
    const bool allowed = folder == u"engine/autocast"_s || folder == u"engine/observe"_s;
    QVERIFY2(allowed && paths.size() == 1,
             qPrintable(paths.join(u", "_s) + u": a new LibTorch is met in engine/graph"_s));
  }
}

void Rules::notificationsAreDispatchedByOneTable() {
  QStringList methods;
  const auto add = [&](const auto&... row) {
    const auto quoted = [](std::string_view method) {
      return u'"' + QString::fromUtf8(method.data(), static_cast<qsizetype>(method.size())) + u'"';
    };
    (methods.append(quoted(row.route.method)), ...);
  };
  std::apply(add, wire::kNotifications);
  methods.removeAll(u"\"\""_s);
  QVERIFY(methods.size() > 10);
  for (const auto& [path, text] : sourceTree().asKeyValueRange()) {
    if (!layerOf(path) || !isSource(path) || path == u"engine/wire/notifications.h"_s) continue;
    for (const QString& method : methods) {
      QVERIFY2(!text.contains(method), qPrintable(path + u" names "_s + method + u": use wire::kRouteOf"_s));
    }
  }
}

/// A suite that its folder's CMakeLists.txt does not name is compiled and never run.
void Rules::everySuiteIsATest() {
  static const QRegularExpression registered(u"^BINADE_SUITE\\((\\w+)\\);"_s, QRegularExpression::MultilineOption);
  QString tests;
  for (const auto& [path, text] : sourceTree().asKeyValueRange()) {
    if (path.startsWith(u"tests/") && path.endsWith(u"CMakeLists.txt")) tests += text;
  }
  int suites = 0;
  for (const auto& [path, text] : sourceTree().asKeyValueRange()) {
    if (!path.startsWith(u"tests/") || !isSource(path)) continue;
    for (auto found = registered.globalMatch(text); found.hasNext(); ++suites) {
      const QString suite = found.next().captured(1);
      const QRegularExpression named(u"\\b%1\\b"_s.arg(suite));
      QVERIFY2(named.match(tests).hasMatch(), qPrintable(path + u": no CMakeLists.txt names the suite "_s + suite));
    }
  }
  QVERIFY(suites > 200);
}

/// An exception that is no longer needed must go.
void Rules::readersOfTextStillReadSome() {
  for (const QString& path : readersOfText().keys()) {
    QVERIFY2(sourceTree().contains(path), qPrintable(path));
    QVERIFY2(!checkReadsNoProse(u"app/x.cpp"_s, sourceTree()[path]).isEmpty(), qPrintable(path));
  }
}

BINADE_SUITE(Rules);

}  // namespace binade::test

#include "rules.moc"
