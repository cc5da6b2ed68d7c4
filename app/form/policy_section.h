// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/form_section.h"
#include "engine/policy/resolve.h"
#include "engine/wire/model_info.h"

class QComboBox;
class QLabel;

namespace binade::app {

/// The policy that a run begins with: a base list and a low format, or the one that is open in the window; and what it
/// would do to this model, said before it runs.
class PolicySection : public FormSection {
  Q_OBJECT

 public:
  explicit PolicySection(RunDocument* document);

  void setModel(const wire::ModelInfo& model);
  void setCapabilities(const policy::Capabilities& capabilities);
  /// Offered where it says something.
  void setOpened(const policy::Policy& opened);

 private:
  void choose();
  void show();

  RunDocument* document_;
  wire::ModelInfo model_;
  std::vector<policy::SiteKey> sites_;
  policy::Capabilities capabilities_;
  policy::Policy opened_;
  QComboBox* base_;
  QComboBox* low_;
  QLabel* findings_;
};

}  // namespace binade::app
