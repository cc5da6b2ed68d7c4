// SPDX-License-Identifier: Apache-2.0
// The tables of the form, such as the files of the data.
#include "app/form/form_table.h"
#include "tests/app/app_fixture.h"
#include "tests/app/choose_file.h"
#include "tests/app/form/set_up_page.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

namespace {

using namespace binade;
using test::Explorer;

/// Shows the set-up of the made-up model, whose batches are from files.
app::SetupPage* pageWithFiles(Explorer& explorer) {
  app::SetupPage* page = test::setUp(explorer);
  if (page == nullptr) return nullptr;
  wire::RunConfig config = explorer.session().description().config();
  config.data.kind = "files";
  explorer.session().description().edit(QStringLiteral("kind"), config);
  return page;
}

class FormTables : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // Another run began, whose description has no files.
  void aRowThatGoesWhileItIsEditedTakesItsEditorAlong() {
    Explorer explorer;
    app::SetupPage* page = pageWithFiles(explorer);
    QVERIFY(page != nullptr);
    const wire::RunConfig before = explorer.session().description().config();
    wire::RunConfig config = before;
    config.data.files = {"x.npy", "y.npy"};
    explorer.session().description().edit(QStringLiteral("files"), config);
    app::FormTable* files = nullptr;
    for (auto* table : page->findChildren<app::FormTable*>()) {
      if (table->view()->accessibleName() == u"Files") files = table;
    }
    QVERIFY(files != nullptr && files->isVisible());
    QCOMPARE(files->rows()->rowCount(), 2);
    QTableView* view = files->view();
    const QModelIndex last = files->rows()->index(1, 0);
    view->setCurrentIndex(last);  // which edits it
    QVERIFY(view->findChild<QLineEdit*>() != nullptr);
    explorer.session().description().adopt(before);
    QCOMPARE(files->rows()->rowCount(), 0);
    QTRY_VERIFY(view->findChild<QLineEdit*>() == nullptr);
    QVERIFY(!files->rows()->setData(last, QStringLiteral("z.npy")));
  }

  void chosenFilesAreNotEdited() {
    Explorer explorer;
    app::SetupPage* page = pageWithFiles(explorer);
    QVERIFY(page != nullptr);
    const QString file = explorer.folder() + QStringLiteral("/x.npy");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write("x") == 1);
    out.close();
    for (auto* button : page->findChildren<QPushButton*>()) {
      if (button->text() != u"Add files…" || !button->isVisible()) continue;
      test::chooseFile(file);
      button->click();
    }
    QCOMPARE(explorer.session().description().config().data.files, std::vector<std::string>{file.toStdString()});
    for (auto* table : page->findChildren<app::FormTable*>()) {
      if (table->view()->accessibleName() == u"Files") QVERIFY(table->view()->findChild<QLineEdit*>() == nullptr);
    }
  }
};

BINADE_SUITE(FormTables);

}  // namespace

#include "tst_form_tables.moc"
