// SPDX-License-Identifier: Apache-2.0
// The dialog that exports a policy, and the import of lists.
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/export_dialog.h"
#include "app/window/policy_import.h"
#include "app/window/text_target_page.h"
#include "engine/policy/policy.h"
#include "engine/targets/checked_text.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLayout>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <optional>

namespace {

using namespace binade;
using app::AssignedRun;
using app::ExportDialog;
using test::Explorer;

const app::EngineCommand& noEngine() {
  static const app::EngineCommand command{QStringLiteral("/no/such/engine"), {QStringLiteral("serve")}};
  return command;
}

policy::Policy withRule(const char* match, formats::Format format) {
  policy::Policy policy;
  policy::SiteRule rule;
  rule.match = match;
  rule.format = format;
  policy.sites.push_back(rule);
  return policy;
}

app::ExportChoice choiceOf(const policy::Policy& policy, const wire::ModelInfo& model = test::FakeRun::model()) {
  app::ExportChoice choice;
  choice.order.model = QStringLiteral("sample:cnn");
  choice.order.policy = policy;
  choice.order.file = test::temporaryFolder() + QStringLiteral("/demo.exported.pt");
  choice.run = std::make_shared<AssignedRun>(model, test::FakeRun::config(), policy);
  choice.policy = QStringLiteral("cuda-amp");
  choice.stem = test::temporaryFolder() + QStringLiteral("/demo");
  return choice;
}

/// Chooses a target and waits for its text.
bool shows(ExportDialog& dialog, const char* target) {
  dialog.choose(QString::fromLatin1(target));
  return QTest::qWaitFor([&] { return !dialog.text()->isBusy(); }, 20000);
}

QByteArray contentOfFile(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

void writeTo(const QString& file, const std::string& text) {
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(text.data(), static_cast<qint64>(text.size()));
}

/// A model with this many op calls.
wire::ModelInfo longModel(int calls) {
  wire::ModelInfo model;
  for (int id = 0; id < calls; ++id) {
    wire::SiteInfo& site = model.sites.emplace_back();
    site.id = id;
    site.key = {"layer" + std::to_string(id), "", "aten::linear", "", 0};
  }
  return model;
}

}  // namespace

class ExportDialogs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { views::applyTheme(*qApp, views::Theme::kLight); }

  void exportAndImportAreInTheFileMenu() {
    Explorer explorer;
    const app::Actions* actions = explorer.window().actions();
    QVERIFY(!actions->export_policy->isEnabled());
    QVERIFY(!actions->import_policy->isEnabled());
    explorer.showFed(3);
    QTRY_VERIFY(actions->export_policy->isEnabled());
    QVERIFY(actions->import_policy->isEnabled());
    const auto menus = explorer.window().findChildren<QMenu*>();
    QVERIFY(std::any_of(menus.begin(), menus.end(), [&](const QMenu* menu) {
      return menu->title() == QStringLiteral("&File") && menu->actions().contains(actions->export_policy) &&
             menu->actions().contains(actions->import_policy);
    }));
    actions->export_policy->trigger();
    const QPointer<ExportDialog> dialog = explorer.window().findChild<ExportDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QTest::keyClick(dialog.data(), Qt::Key_Escape);
    QTRY_VERIFY(dialog == nullptr || !dialog->isVisible());
  }

  void findingsNameOpCallsAndNotesComeLast() {
    QStringList many;
    for (int i = 0; i < 22; ++i) many << QStringLiteral("m%1").arg(i);
    const QString text =
        app::findingsText({{QStringLiteral("note"), QStringLiteral("dropout is written as it is"), many.mid(0, 5)},
                           {QStringLiteral("not-in-file"),
                            QStringLiteral("rules of the loss"),
                            {QStringLiteral("loss/aten::nll_loss#0")}},
                           {QStringLiteral("inexpressible"), QStringLiteral("they run in float32"), many}});
    QCOMPARE(text, QStringLiteral("Not exported: rules of the loss: loss/aten::nll_loss#0\n\n"
                                  "Cannot be expressed: they run in float32: ") +
                       many.mid(0, 20).join(QStringLiteral(", ")) + QStringLiteral(" and 2 more\n\n") +
                       QStringLiteral("Note: dropout is written as it is: m0, m1, m2, m3 and 1 more"));
  }

  void anEngineThatCannotExportIsReportedWithItsReason() {
    QVERIFY(app::whyNoExport({QStringLiteral("/usr/bin/binade-engine"), {QStringLiteral("serve")}}).isEmpty());
    QVERIFY(!app::whyNoExport({QStringLiteral("ssh"), {"host", "binade-engine", "serve"}}).isEmpty());
    const app::ExportChoice choice = choiceOf({});
    ExportDialog dialog(choice, noEngine(), {});
    dialog.show();
    QCOMPARE(dialog.chosen(), QStringLiteral("torchscript"));
    QPushButton* button = dialog.torchScript()->exportButton();
    QVERIFY(button->isEnabled() && button->isDefault());
    button->click();
    QTRY_VERIFY(!dialog.torchScript()->result()->text().isEmpty());
    QVERIFY(button->isEnabled());
    QVERIFY(!QFile::exists(choice.order.file));
  }

  void targetsComeInTheOrderModelProgramsPeople() {
    ExportDialog dialog(choiceOf({}), noEngine(), {});
    QStringList names;
    for (int row = 0; row < dialog.list()->count(); ++row) {
      dialog.list()->setCurrentRow(row);
      names << dialog.chosen();
      QVERIFY(!dialog.list()->item(row)->text().isEmpty());
      QVERIFY2(dialog.sentence()->text().endsWith(u'.'), qPrintable(dialog.sentence()->text()));
    }
    QCOMPARE(static_cast<std::size_t>(names.size()), targets::targets().size() + 1);
    QCOMPARE(names.first(), QStringLiteral("torchscript"));
    QVERIFY(names.indexOf(QStringLiteral("pytorch")) < names.indexOf(QStringLiteral("json")));
    QVERIFY(names.indexOf(QStringLiteral("cpp")) < names.indexOf(QStringLiteral("csv")));
  }

  void theTextShownIsTheTextSaved() {
    const app::ExportChoice choice = choiceOf(withRule("fc1", formats::kFloat32));
    ExportDialog dialog(choice, noEngine(), {});
    dialog.show();
    QSignalSpy exported(&dialog, &ExportDialog::exported);
    for (const targets::Target& target : targets::targets()) {
      QVERIFY(shows(dialog, std::string(target.name).c_str()));
      const std::string text = target.write(choice.run->assignment()).text;
      if (!dialog.text()->saveButton()->isEnabled()) dialog.text()->approximate()->setChecked(true);
      QVERIFY2(dialog.text()->saveButton()->isEnabled(), qPrintable(dialog.text()->status()->text()));
      QVERIFY(dialog.text()->saveButton()->isDefault());
      const QString file = choice.stem + QString::fromStdString(std::string(target.suffix));
      dialog.text()->saveTo(file);
      QCOMPARE(contentOfFile(file), QByteArray::fromStdString(text));
      QString lines = QString::fromStdString(text);
      lines.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
      lines.replace(QChar::Nbsp, u' ');  // as the text edit returns it
      QCOMPARE(dialog.text()->preview()->toPlainText(), lines);
      QVERIFY(dialog.text()->cut()->text().isEmpty());
    }
    QCOMPARE(exported.count(), 1);  // the explorer opens policies of its own format only
    Explorer::picture(&dialog, QStringLiteral("export-light"));
    views::applyTheme(*qApp, views::Theme::kDark);
    Explorer::picture(&dialog, QStringLiteral("export-dark"));
    views::applyTheme(*qApp, views::Theme::kLight);
  }

  void theProofIsASentence() {
    ExportDialog dialog(choiceOf(withRule("fc1", formats::kFloat32)), noEngine(), {});
    QVERIFY(shows(dialog, "csv"));
    // The thirteenth op call is that of the loss.
    QCOMPARE(dialog.text()->proof()->text(), QStringLiteral("Read back: 12 of 12 op calls equal."));
    QVERIFY(shows(dialog, "markdown"));
    QVERIFY(dialog.text()->proof()->text().startsWith(QStringLiteral("Not read back")));
  }

  void whatCannotBeExpressedNeedsApproximate() {
    ExportDialog dialog(choiceOf(withRule("fc1", formats::Format{5, 7})), noEngine(), {});
    dialog.show();
    QVERIFY(shows(dialog, "pytorch"));
    app::TextTargetPage* page = dialog.text();
    QVERIFY2(page->findings()->text().contains(QStringLiteral("Cannot be expressed: ")),
             qPrintable(page->findings()->text()));
    QVERIFY(page->findings()->text().contains(QStringLiteral("fc1/aten::linear#0")));
    // The worse news comes first: what was read back stands below it, in plain type.
    page->layout()->activate();
    const auto top = [page](const QWidget* widget) { return widget->mapTo(page, QPoint(0, 0)).y(); };
    QVERIFY(top(page->findings()) < top(page->proof()) && !page->proof()->font().bold());
    QVERIFY(page->approximate()->isVisible() && !page->approximate()->isChecked());
    QVERIFY(!page->saveButton()->isEnabled() && !page->copyButton()->isEnabled());
    QVERIFY2(page->status()->text().contains(QStringLiteral("cannot express")), qPrintable(page->status()->text()));
    QCOMPARE(page->saveButton()->toolTip(), page->status()->text());
    const QString file = test::temporaryFolder() + QStringLiteral("/refused.py");
    page->saveTo(file);
    QVERIFY(!QFile::exists(file));
    Explorer::picture(&dialog, QStringLiteral("export-inexpressible"));
    page->approximate()->setChecked(true);
    QVERIFY(page->saveButton()->isEnabled() && page->status()->text().isEmpty());
    page->saveTo(file);
    QVERIFY(QFile::exists(file));
    // Another target starts without it.
    QVERIFY(shows(dialog, "json"));
    QVERIFY(!page->approximate()->isVisible() && !page->approximate()->isChecked());
    QVERIFY(page->saveButton()->isEnabled());
  }

  void copyTakesAllAndTheKeyTakesTheSelection() {
    ExportDialog dialog(choiceOf({}), noEngine(), {});
    dialog.show();
    QVERIFY(shows(dialog, "json"));
    QClipboard* clipboard = QApplication::clipboard();
    clipboard->clear();
    dialog.text()->copyButton()->click();
    QCOMPARE(clipboard->text(), dialog.text()->preview()->toPlainText());
    QVERIFY(!dialog.text()->status()->text().isEmpty());
    QPlainTextEdit* preview = dialog.text()->preview();
    QVERIFY(preview->isReadOnly());
    QTextCursor cursor = preview->textCursor();
    cursor.setPosition(4);
    cursor.setPosition(11, QTextCursor::KeepAnchor);
    preview->setTextCursor(cursor);
    QTest::keyClick(preview, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(clipboard->text(), cursor.selectedText());
  }

  void aFolderThatRefusesIsReported() {
    ExportDialog dialog(choiceOf({}), noEngine(), {});
    QVERIFY(shows(dialog, "json"));
    dialog.text()->saveTo(QStringLiteral("/no/such/folder/policy.json"));
    QVERIFY2(dialog.text()->status()->text().contains(QStringLiteral("/no/such/folder/policy.json")),
             qPrintable(dialog.text()->status()->text()));
    QVERIFY(dialog.text()->saveButton()->isEnabled());
  }

  void theLastTargetIsChosenAgain() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    {
      ExportDialog dialog(choiceOf({}), noEngine(), {}, &settings);
      QCOMPARE(dialog.chosen(), QStringLiteral("torchscript"));
      dialog.choose(QStringLiteral("csv"));
    }
    ExportDialog dialog(choiceOf({}), noEngine(), {}, &settings);
    QCOMPARE(dialog.chosen(), QStringLiteral("csv"));
    settings.setValue(QStringLiteral("export/target"), QStringLiteral("gone"));
    ExportDialog other(choiceOf({}), noEngine(), {}, &settings);
    QCOMPARE(other.chosen(), QStringLiteral("torchscript"));
  }

  void withoutAModelASentenceSaysSo() {
    ExportDialog dialog({}, noEngine(), {});
    dialog.show();
    QVERIFY(dialog.torchScript()->result()->text().contains(QStringLiteral("No model is open")));
    QVERIFY(!dialog.torchScript()->exportButton()->isEnabled());
    QVERIFY(shows(dialog, "csv"));
    QVERIFY(dialog.text()->status()->text().contains(QStringLiteral("No model is open")));
    QVERIFY(!dialog.text()->saveButton()->isEnabled() && !dialog.text()->copyButton()->isEnabled());
  }

  void theEndOfALongTextIsOnlyInTheFile() {
    const int calls = 4000;
    ExportDialog dialog(choiceOf({}, longModel(calls)), noEngine(), {});
    QVERIFY(shows(dialog, "csv"));
    QCOMPARE(dialog.text()->preview()->blockCount(), 2001);  // the last is empty
    QVERIFY2(dialog.text()->cut()->text().contains(QStringLiteral("first 2,000 of 4,001 lines")),
             qPrintable(dialog.text()->cut()->text()));
    const QString file = test::temporaryFolder() + QStringLiteral("/long.csv");
    dialog.text()->saveTo(file);
    QCOMPARE(static_cast<int>(contentOfFile(file).count('\n')), calls + 1);
  }

  void anImportedListIsOneUndoableEdit() {
    Explorer explorer;
    explorer.showFed(3);
    app::PolicyDocument& document = explorer.session().document();
    const policy::Policy before = document.policy();
    const app::ExportChoice wanted = choiceOf(withRule("fc1", formats::kBFloat16));
    const QString file = test::temporaryFolder() + QStringLiteral("/tuned.csv");
    const targets::Target& csv = *targets::find_target("csv");
    writeTo(file, csv.write(wanted.run->assignment()).text);
    auto* importer = explorer.window().findChild<app::PolicyImport*>();
    QVERIFY(importer != nullptr);
    QSignalSpy imported(importer, &app::PolicyImport::imported);
    importer->importFile(file, csv);
    QTRY_COMPARE(imported.count(), 1);
    QVERIFY2(imported.front().front().toString().contains(QStringLiteral("tuned.csv")),
             qPrintable(imported.front().front().toString()));
    const AssignedRun now(test::FakeRun::model(), test::FakeRun::config(), document.policy());
    const auto& keys = wanted.run->assignment().keys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      QVERIFY2(targets::same_treatment(now.assignment().table.sites[i], wanted.run->assignment().table.sites[i]),
               keys[i].name().c_str());
    }
    QCOMPARE(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    QVERIFY(document.policy() == before);
  }

  void aListThatCannotBeReadIsNamedWithItsLine() {
    Explorer explorer;
    explorer.showFed(3);
    const QString file = test::temporaryFolder() + QStringLiteral("/broken.csv");
    const targets::Target& csv = *targets::find_target("csv");
    std::string text = csv.write(choiceOf({}).run->assignment()).text;
    text += "one,field,too,few\r\n";
    writeTo(file, text);
    auto* importer = explorer.window().findChild<app::PolicyImport*>();
    QSignalSpy problems(importer, &app::PolicyImport::problem);
    importer->importFile(file, csv);
    QTRY_COMPARE(problems.count(), 1);
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY2(problem.message.startsWith(QStringLiteral("broken.csv: line 14")), qPrintable(problem.message));
    QCOMPARE(explorer.session().document().undoStack()->count(), 0);
  }
};

BINADE_SUITE(ExportDialogs);
#include "tst_export_dialog.moc"
