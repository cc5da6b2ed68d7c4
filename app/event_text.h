// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/event_story.h"

#include <QString>

namespace binade::app {

/// The head over what was tried: whether any of it would have helped.
QString triedTitle(const EventStory& story);

}  // namespace binade::app
