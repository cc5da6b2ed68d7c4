// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/form_section.h"
#include "engine/policy/resolve.h"
#include "engine/wire/model_info.h"

class QComboBox;
class QLabel;

namespace binade::app {

/// Section for the policy that a run starts with: a base list and a low format, or the policy open in the window. Shows
/// its findings on the model before the run starts.
class PolicySection : public FormSection {
  Q_OBJECT

 public:
  explicit PolicySection(RunDocument* document);

  /// Sets the model for whose op calls findings are shown.
  void setModel(const wire::ModelInfo& model);
  /// Sets the formats that the engine's device computes natively.
  void setCapabilities(const policy::Capabilities& capabilities);
  /// Sets the open policy. It is offered unless it is an unnamed, unedited base list.
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
