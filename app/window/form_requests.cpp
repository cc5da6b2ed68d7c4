// SPDX-License-Identifier: Apache-2.0
#include "app/window/form_requests.h"

#include "app/form/data_section.h"
#include "app/form/run_form.h"
#include "app/session/session.h"
#include "app/window/far_file.h"

#include <QPointer>

#include <memory>

namespace binade::app {

void answerRequests(RunForm* form, Session* session, QSettings* settings) {
  form->setAskFiles(askWhereTheEngineIs(session, settings));
  // Answers may come after the form is gone.
  const QPointer<DataSection> data = form->data();
  const auto newest_files = std::make_shared<int>(0);
  QObject::connect(data, &DataSection::arraysWanted, data, [data, session, newest_files](const auto& files) {
    const int mine = ++*newest_files;
    if (files.empty()) return data->setArrays({});
    session->engine().listArrays(files, [data, newest_files, mine](const auto& answer) {
      if (mine != *newest_files || !data) return;  // other files were chosen since
      if (const auto* arrays = std::get_if<wire::DataArrays>(&answer)) return data->setArrays(*arrays);
      data->showProblem(QStringLiteral("data.files"), std::get<Problem>(answer).message);
    });
  });
  // The engine cancels an earlier preview when another is requested; its late answer is ignored.
  const auto newest = std::make_shared<int>(0);
  QObject::connect(data, &DataSection::previewWanted, data, [form = QPointer<RunForm>(form), data, session, newest] {
    const int mine = ++*newest;
    if (const auto wrong = session->description().problem()) {
      data->showNoPreview(*wrong);
      return;
    }
    session->previewData([form, data, newest, mine](const std::variant<wire::DataPreview, Problem>& answer) {
      if (mine != *newest || !data || !form) return;
      if (const auto* preview = std::get_if<wire::DataPreview>(&answer)) return data->showPreview(*preview);
      form->showProblem(std::get<Problem>(answer));
      data->showNoPreview(std::get<Problem>(answer));
    });
  });
}

}  // namespace binade::app
