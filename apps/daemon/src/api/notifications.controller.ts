import { Controller, Inject } from '@nestjs/common'
import type { Answer } from '@treadle/contracts/client'
import { ALERT_TYPES } from '@treadle/contracts/notification'
import { WORLD, type World } from '../world.ts'
import { ProblemError } from './problem.ts'
import { Given, type GivenOf, Serve } from './route.ts'

@Controller()
export class NotificationsController {
  readonly world: World
  constructor(@Inject(WORLD) world: World) {
    this.world = world
  }

  @Serve('listNotifications')
  async list(@Given() { query }: GivenOf<'listNotifications'>): Promise<Answer<'listNotifications'>> {
    const { all, alerts, before, limit } = query
    const types = alerts === 'true' ? ALERT_TYPES : undefined
    return { items: await this.world.store.notifications.list({ all: all === 'true', types, before, limit }) }
  }

  @Serve('acknowledgeNotifications')
  async acknowledgeAll(
    @Given() { body }: GivenOf<'acknowledgeNotifications'>,
  ): Promise<Answer<'acknowledgeNotifications'>> {
    return { ids: await this.world.notices.acknowledge({ is: 'all' }, body.by) }
  }

  @Serve('testNotifications')
  async test(@Given() { body }: GivenOf<'testNotifications'>): Promise<Answer<'testNotifications'>> {
    return { items: await this.world.notices.test(body.channel) }
  }

  @Serve('acknowledgeNotification')
  async acknowledge(
    @Given() { params, body }: GivenOf<'acknowledgeNotification'>,
  ): Promise<Answer<'acknowledgeNotification'>> {
    const ids = await this.world.notices.acknowledge({ is: 'one', id: params.id }, body.by)
    if (ids.length > 0 || (await this.world.store.notifications.find(params.id)) !== null) return { ids }
    throw new ProblemError(404, {
      code: 'not_found',
      message: `There is no notification ${params.id}.`,
      hint: 'treadle notifications --all lists them.',
    })
  }
}
